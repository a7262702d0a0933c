import { useEffect, useEffectEvent } from 'react'

/** Esc anywhere but where it has a meaning of its own: in dialogs, menus and fields. */
export function useEscape(onEscape: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const target = event.target as HTMLElement
    if (!target.closest('[role=dialog], [role=menu], input, select')) onEscape()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
