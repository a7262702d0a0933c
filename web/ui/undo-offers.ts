import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import { createStore } from './external-store.ts'

// The changes that the user can undo, newest last. The notifications and Ctrl+Z share them.

/** State of this page alone, such as a draft: `isAsLeft` is checked whenever `listen` calls. */
export type PageBasis = {
  mapId: string
  of: 'page'
  isAsLeft(): boolean
  listen(listener: () => void): () => void
}

export type UndoOffer = { dependsOn: UndoBasis | PageBasis; undo(): void }

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
  const { dependsOn } = offer
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
