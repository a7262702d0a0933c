import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { tellNothingToUndo } from '#web/ui/toasts.tsx'
import { presentOffers, takeOffer } from '#web/ui/undo-offers.ts'
import { withdrawIfImpossible } from '../follow-undo-offers.ts'
import { isWithin } from '../map-page/use-shortcuts.ts'

/**
 * Ctrl+Z (Cmd+Z) undoes the user's last change of records of the map. In dialogs, in cells that are edited, and in fields
 * that were typed into, it stays the browser's.
 */
export function useUndoKey(mapId: string) {
  const client = useQueryClient()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isUndo || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return
    if (isWithin(event, '[role=dialog], [role=menu], [role=grid] input[type=text], [role=grid] textarea'))
      return
    if (typedInto.has(event.target as EventTarget)) return
    // The browser would undo in the field that was typed into last, wherever the focus is.
    event.preventDefault()
    if (!event.repeat) void undoLast(client, mapId)
  })
  useEffect(() => {
    const onInput = ({ target }: Event) => target && typedInto.add(target)
    document.addEventListener('input', onInput, { capture: true })
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('input', onInput, { capture: true })
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** Fields with edits that the browser can undo. */
const typedInto = new WeakSet<EventTarget>()

async function undoLast(client: QueryClient, mapId: string) {
  // The last change may still be on its way.
  await settled(client)
  for (;;) {
    const last = presentOffers().findLast(
      ({ dependsOn }) =>
        dependsOn.mapId === mapId && dependsOn.of !== 'configuration' && dependsOn.of !== 'archiving',
    )
    if (!last) return tellNothingToUndo()
    if (await withdrawIfImpossible(client, last)) return takeOffer(last)
  }
}

function settled(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.getMutationCache().subscribe(check)
    check()
    function check() {
      if (client.isMutating() > 0) return
      stop()
      resolve()
    }
  })
}
