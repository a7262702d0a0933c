import { useEffect, useMemo, useRef, useState } from 'react'
import type { MapClick } from '#web/map/map-view.tsx'
import type { PluggedMode } from './tool.ts'

/** At most one tool is on. Calls `onTurn` when that changes. */
export function useToolbox(onTurn: () => void) {
  const plugged = useRef(new Set<PluggedMode>())
  const [active, setActive] = useState<PluggedMode | null>(null)
  const latestOnTurn = useRef(onTurn)
  useEffect(() => {
    latestOnTurn.current = onTurn
  })
  const context = useMemo(
    () => ({
      plug(mode: PluggedMode) {
        plugged.current.add(mode)
        return () => plugged.current.delete(mode)
      },
      turnOn(mode: PluggedMode) {
        for (const other of plugged.current) if (other !== mode && other.current.isOn) other.current.turnOff()
        setActive(mode)
        latestOnTurn.current()
        return () => {
          setActive((current) => (current === mode ? null : current))
          latestOnTurn.current()
        }
      },
    }),
    [],
  )

  // Captures keys before the shortcuts of the map and the screen.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest('[role=dialog]')) return
      const modes = [...plugged.current].sort((a, b) => Number(b.current.isOn) - Number(a.current.isOn))
      if (!modes.some(({ current }) => current.onKey?.(event))) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return {
    context,
    isOn: active !== null,
    click(click: MapClick): boolean {
      if (active) {
        active.current.onClick?.(click)
        return true
      }
      return [...plugged.current].some(({ current }) => current.onClick?.(click))
    },
    longPress: (click: MapClick) => active && (active.current.onLongPress?.(click) ?? false),
    unsaved: () => [...plugged.current].flatMap(({ current }) => current.unsaved ?? []),
  }
}
