import { useEffect, useEffectEvent } from 'react'

type Shortcuts = {
  isOff: boolean
  escape(): void
  help(): void
  search(): void
  home(): void
  tab(index: number): void
  sidebar(): void
}

/** Uses the composed path, because a dialog closed by this key is already unmounted. */
export const isWithin = (event: KeyboardEvent, selector: string) =>
  event.composedPath().some((node) => node instanceof Element && node.matches(selector))

/** Ignored while typing and in dialogs. */
export function useShortcuts(shortcuts: Shortcuts) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (shortcuts.isOff || event.defaultPrevented) return
    const target = event.target as HTMLElement
    if (isWithin(event, '[aria-modal=true]')) return
    const isTyping = target.matches(
      'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]',
    )
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') shortcuts.search()
    else if (event.ctrlKey || event.metaKey || event.altKey) return
    else if (event.key === 'Escape') {
      if (isTyping) target.blur()
      shortcuts.escape()
    } else if (isTyping) return
    else if (event.key === '?') shortcuts.help()
    else if (event.key === '/') shortcuts.search()
    else if (event.key.toLowerCase() === 'h') shortcuts.home()
    else if (event.key.toLowerCase() === 'b') shortcuts.sidebar()
    else {
      if (!/^[1-9]$/.test(event.key)) return
      shortcuts.tab(Number(event.key) - 1)
    }
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
