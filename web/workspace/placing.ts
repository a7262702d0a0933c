import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { createPublished } from '#web/ui/external-store.ts'

// The form of a record publishes its geometry; the placing tool shows it and reports back. Neither imports the
// other.

export type Placing = {
  name: string
  sign: ReactNode
  anchor: 'center' | 'bottom'
  geometry: Geometry | null
  /** A saved geometry is already part of the tiles. */
  isSaved: boolean
  task: FeatureShape | null
  onPlace(geometry: Geometry): void
  onGiveUp(): void
}

export type RecordStart = {
  kind: DefinedKind
  geometry?: Geometry
  name?: string
  description?: string
  /** Feature to duplicate, apart from its location. */
  like?: FeatureDetail
}

const published = createPublished<Placing>()

export const usePlacing = published.use
export const useIsPlacing = () => published.useIs(({ task }) => task !== null)

/** `sign` must keep its identity while it looks the same. */
export function usePublishedPlacing(placing: Placing | null) {
  const place = useEffectEvent((geometry: Geometry) => placing?.onPlace(geometry))
  const giveUp = useEffectEvent(() => placing?.onGiveUp())
  const { name, sign, anchor, geometry, isSaved, task } = placing ?? {}
  const isOpen = placing !== null
  useEffect(() => {
    if (!isOpen) return
    const current = { name, sign, anchor, geometry, isSaved, task } as Placing
    return published.publish({ ...current, onPlace: (placed) => place(placed), onGiveUp: () => giveUp() })
  }, [isOpen, name, sign, anchor, geometry, isSaved, task])
}
