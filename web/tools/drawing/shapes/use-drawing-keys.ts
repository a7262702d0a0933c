import { useMap } from '@vis.gl/react-maplibre'
import type { Position } from 'geojson'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Task } from './task.ts'
import type { History } from './use-history.ts'

/**
 * While the map has the focus, its center is the pointer: arrows move the map, Enter presses, Backspace removes
 * a point. Enter also finishes a shape that is drawn with the mouse.
 */
export function useDrawingKeys(task: Task | null) {
  const map = useMap().current?.getMap()
  const isActive = task !== null
  const [isByKeys, setIsByKeys] = useState(false)

  const middle = (): Position => {
    const { lng, lat } = map?.getCenter() ?? { lng: 0, lat: 0 }
    return [lng, lat]
  }
  function onKey(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement
    const isOnMap = target === map?.getCanvas()
    const key = event.key.toLowerCase()
    const isCommand = event.ctrlKey || event.metaKey
    const isTyping = target.matches('input, textarea, select')
    if (key === 'escape') task?.escape()
    else if (isTyping) return false
    else if (isCommand && (key === 'y' || (key === 'z' && event.shiftKey))) task?.redo()
    else if (isCommand && key === 'z') task?.undo()
    else if (isCommand || event.altKey) return false
    else if (key === 'backspace' || key === 'delete')
      task?.removeVertex(isByKeys ? middle() : (task.pointer ?? middle()))
    else if (isOnMap && key === 'enter') {
      if (!isByKeys && task?.sketch) task.finish?.()
      else {
        setIsByKeys(true)
        if (!event.repeat) task?.press(middle())
      }
    } else {
      // The map itself handles the arrows.
      if (isOnMap && key.startsWith('arrow')) setIsByKeys(true)
      return false
    }
    return true
  }

  useEffect(() => {
    if (!map || !isActive) return
    const container = map.getCanvasContainer()
    /** Only if the map got the focus by the Tab key. */
    const lead = () => {
      if (map.getCanvas().matches(':focus-visible')) setIsByKeys(true)
    }
    const follow = ({ target }: Event) => {
      if (target === map.getCanvas()) setIsByKeys(false)
    }
    container.addEventListener('pointermove', follow)
    container.addEventListener('pointerdown', follow)
    container.addEventListener('focusout', follow)
    container.addEventListener('focusin', lead)
    lead()
    return () => {
      container.removeEventListener('pointermove', follow)
      container.removeEventListener('pointerdown', follow)
      container.removeEventListener('focusout', follow)
      container.removeEventListener('focusin', lead)
      setIsByKeys(false)
    }
  }, [map, isActive])

  const onMove = useEffectEvent(() => task?.moveTo(middle()))
  useEffect(() => {
    if (!map || !isByKeys) return
    const move = () => onMove()
    map.on('move', move)
    return () => {
      map.off('move', move)
    }
  }, [map, isByKeys])
  return { onKey, areLeading: isByKeys }
}

export function historyKey(history: History, event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false
  if ((event.target as HTMLElement).closest('input, textarea, select')) return false
  const key = event.key.toLowerCase()
  const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
  if (isRedo ? !history.canRedo : key !== 'z' || !history.canUndo) return false
  if (isRedo) history.redo()
  else history.undo()
  return true
}
