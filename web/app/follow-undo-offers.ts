import type { QueryClient } from '@tanstack/react-query'
import { isAllowed } from '#domain/access/access.ts'
import { effectOnUndo, undoAccess } from '#domain/activity/undo-basis.ts'
import { type MapChange, onChanges } from '#web/api/changes.ts'
import { sessionQuery } from '#web/api/session.api.ts'
import { isUndoPossible } from '#web/api/undo.api.ts'
import { currentOffers, type Offered, withdrawOffers } from '#web/ui/undo-offers.ts'

export function followUndoOffers(client: QueryClient): () => void {
  const stops = [onChanges((changes) => followChanges(client, changes)), followSession(client)]
  return () => {
    for (const stop of stops) stop()
  }
}

function followChanges(client: QueryClient, changes: readonly MapChange[]) {
  const effectsOn = ({ dependsOn }: Offered) =>
    dependsOn.of === 'page' ? [] : changes.map((change) => effectOnUndo(dependsOn, change))
  withdrawOffers((offer) => effectsOn(offer).includes('ends'))
  // Ctrl+Z checks hidden offers when it needs them.
  for (const offer of currentOffers())
    if (offer.isShown && effectsOn(offer).includes('unknown')) void withdrawIfImpossible(client, offer)
}

/** Returns whether the offer is still there. */
export async function withdrawIfImpossible(client: QueryClient, offer: Offered): Promise<boolean> {
  const { dependsOn } = offer
  if (dependsOn.of !== 'page' && !(await isUndoPossible(client, dependsOn)))
    withdrawOffers((one) => one === offer)
  return currentOffers().includes(offer)
}

function followSession(client: QueryClient): () => void {
  const personIn = () => client.getQueryData(sessionQuery.queryKey)?.person ?? null
  let personId = personIn()?.id ?? null
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return
    const person = personIn()
    const isSomebodyElse = personId !== null && person?.id !== personId
    personId = person?.id ?? null
    withdrawOffers(({ dependsOn: { of, mapId } }) => {
      if (isSomebodyElse) return true
      return of !== 'page' && !isAllowed(person?.roles ?? null, undoAccess[of], mapId)
    })
  })
}
