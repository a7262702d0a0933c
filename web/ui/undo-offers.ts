import type { UndoBasis } from '#domain/activity/undo-basis.ts'

// The changes that the user can undo, newest last: the notifications and Ctrl+Z share them.

/** Something that only this page knows, such as a draft: `isAsLeft` is compared whenever `listen` calls. */
export type PageBasis = {
  mapId: string
  of: 'page'
  isAsLeft(): boolean
  /** Returns how to stop. */
  listen(listener: () => void): () => void
}

export type UndoOffer = { dependsOn: UndoBasis | PageBasis; undo(): void }

export type Offered = UndoOffer & { isShown: boolean }

/** Older ones are forgotten. */
const mostOffers = 50

let offers: readonly Offered[] = []
const listeners = new Set<() => void>()
const stops = new WeakMap<Offered, () => void>()

function set(changed: readonly Offered[]) {
  for (const offer of offers) if (!changed.includes(offer)) stops.get(offer)?.()
  offers = changed
  for (const listener of listeners) listener()
}

/** `undo` is called at most once. */
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
  set([...offers, offered].slice(-mostOffers))
  return offered
}

/** The same array while none has changed. */
export const presentOffers = () => offers

export function withdrawOffers(isImpossible: (offer: Offered) => boolean) {
  const possible = offers.filter((offer) => !isImpossible(offer))
  if (possible.length < offers.length) set(possible)
}

/** Does nothing if the offer was withdrawn or taken before. */
export function takeOffer(offer: Offered) {
  if (!offers.includes(offer)) return
  withdrawOffers((one) => one === offer)
  offer.undo()
}

/** Returns how to stop. */
export function listenToOffers(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
