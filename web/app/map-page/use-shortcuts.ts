import { useEffect, useEffectEvent } from 'react'

type Shortcuts = {
  isOff?: boolean
  escape?(): void
  help?(): void
  search?(): void
  home?(): void
  tab?(index: number): void
  sidebar?(): void
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
    const key = event.key.toLowerCase()
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    const { tab } = shortcuts
    let action: (() => void) | undefined
    if (hasModifier) action = key === 'k' && !event.altKey ? shortcuts.search : undefined
    // An open menu closes by this key.
    else if (key === 'escape') action = isWithin(event, '[role=menu]') ? undefined : shortcuts.escape
    else if (isTyping) return
    else if (/^[1-9]$/.test(key)) action = tab && (() => tab(Number(key) - 1))
    else action = { '?': shortcuts.help, '/': shortcuts.search, h: shortcuts.home, b: shortcuts.sidebar }[key]
    if (!action) return
    if (isTyping && key === 'escape') {
      // The text would be lost.
      if (target.matches('textarea, input') && (target as HTMLInputElement).value !== '') return
      target.blur()
    }
    action()
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
