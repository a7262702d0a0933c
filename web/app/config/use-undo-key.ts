import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { UnsavedCells } from '#web/records/unsaved-cells.ts'
import { showNothingTo } from '#web/ui/toasts.tsx'
import { currentOffers, nextTurn, type Turn, takeOffer } from '#web/ui/undo-offers.ts'
import { withdrawIfImpossible } from '../follow-undo-offers.ts'
import { isWithin } from '../map-page/use-shortcuts.ts'

/**
 * Ctrl+Z undoes the user's last change of records, Ctrl+Shift+Z redoes it. The browser's own undo stays in dialogs,
 * edited cells and fields with typed text.
 */
export function useUndoKey(mapId: string, cells: UnsavedCells | undefined) {
  const client = useQueryClient()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const hasKeys = (event.ctrlKey || event.metaKey) && !event.altKey
    if (!hasKeys || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return
    if (isWithin(event, `[role=dialog], [role=menu], [role=grid] :is(${textFields})`)) return
    if (typedInto.has(event.target as EventTarget)) return
    // The browser would undo in the last edited field, even without focus.
    event.preventDefault()
    const turn = event.shiftKey ? 'redo' : 'undo'
    if (!event.repeat) undoing = undoing.then(() => takeLast(client, turn, mapId, cells))
  })
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if ((target as Element).matches(textFields)) typedInto.add(target as Element)
    }
    document.addEventListener('input', onInput, { capture: true })
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('input', onInput, { capture: true })
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

const textFields = 'input:not([type=checkbox], [type=radio]), textarea'

const typedInto = new WeakSet<EventTarget>()

let undoing = Promise.resolve()

async function takeLast(client: QueryClient, turn: Turn, mapId: string, cells: UnsavedCells | undefined) {
  // The last change may not be saved yet.
  await settled(client, cells)
  for (;;) {
    const offer = currentOffers().findLast(
      ({ dependsOn, after }) =>
        nextTurn(after) === turn &&
        dependsOn.mapId === mapId &&
        dependsOn.of !== 'configuration' &&
        dependsOn.of !== 'archiving',
    )
    if (!offer) return showNothingTo(turn)
    if (await withdrawIfImpossible(client, offer)) return takeOffer(offer)
  }
}

function settled(client: QueryClient, cells: UnsavedCells | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stops = [client.getMutationCache().subscribe(check), cells?.listen(check)]
    check()
    function check() {
      if (client.isMutating() > 0 || cells?.all().some(({ state }) => state !== 'refused')) return
      for (const stop of stops) stop?.()
      resolve()
    }
  })
}
