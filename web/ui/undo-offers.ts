import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import { createStore } from './external-store.ts'

// The changes that the user can undo or redo, newest last. The notifications, Ctrl+Z and Ctrl+Shift+Z share them.

/** State of this page alone, such as a draft: `isAsLeft` is checked whenever `listen` calls. */
export type PageBasis = {
  mapId: string
  of: 'page'
  isAsLeft(): boolean
  listen(listener: () => void): () => void
}

/** An undo is a change as well: undoing it is a redo, which can be undone again. */
export type Turn = 'undo' | 'redo'

export type UndoOffer = {
  dependsOn: UndoBasis | PageBasis
  undo(): void
  /** Whether the change was an undo or a redo itself. A new change, without it, ends all redo offers of its map. */
  after?: Turn | undefined
}

/** In the past tense. */
export const turns: Record<Turn, string> = { undo: 'undone', redo: 'redone' }

export const nextTurn = (after: Turn | undefined): Turn => (after === 'undo' ? 'redo' : 'undo')

export type Offered = UndoOffer & { isShown: boolean }

const maxOffers = 50

const offers = createStore<readonly Offered[]>([])
const stops = new WeakMap<Offered, () => void>()

function set(changed: readonly Offered[]) {
  for (const offer of offers.get()) if (!changed.includes(offer)) stops.get(offer)?.()
  offers.set(changed)
}

export function offerUndo(offer: UndoOffer): Offered {
  const offered: Offered = { ...offer, isShown: true }
  const { dependsOn, after } = offer
  if (after === undefined)
    withdrawOffers((one) => one.after === 'undo' && one.dependsOn.mapId === dependsOn.mapId)
  if (dependsOn.of === 'page')
    stops.set(
      offered,
      dependsOn.listen(() => {
        if (!dependsOn.isAsLeft()) withdrawOffers((one) => one === offered)
      }),
    )
  set([...offers.get(), offered].slice(-maxOffers))
  return offered
}

export const currentOffers = offers.get
export const useOffers = offers.use

export function withdrawOffers(isImpossible: (offer: Offered) => boolean) {
  const possible = offers.get().filter((offer) => !isImpossible(offer))
  if (possible.length < offers.get().length) set(possible)
}

export function takeOffer(offer: Offered) {
  if (!offers.get().includes(offer)) return
  withdrawOffers((one) => one === offer)
  offer.undo()
}
