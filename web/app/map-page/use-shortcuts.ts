import { useEffect, useEffectEvent } from 'react'
import { type FeatureKind, featureKinds } from '#domain/features/kinds.ts'

type Shortcuts = {
  isOff: boolean
  escape(): void
  help(): void
  search(): void
  home(): void
  tab(kind: FeatureKind): void
  sidebar(): void
}

/** Keys that work everywhere but where somebody types. */
export function useShortcuts(shortcuts: Shortcuts) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (shortcuts.isOff || event.defaultPrevented) return
    const target = event.target as HTMLElement
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
      const kind = featureKinds[Number(event.key) - 1]
      if (!kind) return
      shortcuts.tab(kind)
    }
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
