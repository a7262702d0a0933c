import { useEffect, useEffectEvent } from 'react'

/** Hears Escape before anybody else, wherever the focus is; an open dialog keeps its own. */
export function useEscape(isActive: boolean, onEscape: () => void) {
  const giveUp = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || (event.target as Element).closest?.('[role=dialog]')) return
      event.preventDefault()
      event.stopPropagation()
      giveUp()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isActive])
}
