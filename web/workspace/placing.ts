import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { createPublished } from '#web/ui/external-store.ts'

// A record is placed in a form and on the map. The form publishes its state here; the placing tool shows it and reports
// back. Neither imports the other.

/** Geometry of the record in the open form, and the task on the map. */
export type Placing = {
  name: string
  /** Icon on the map, and the point of the icon that marks the location. */
  sign: ReactNode
  anchor: 'center' | 'bottom'
  /** Null until the record is placed. */
  geometry: Geometry | null
  /** A saved geometry is already part of the tiles. */
  isSaved: boolean
  /** Shape that the user is placing or drawing; null without a task. */
  task: FeatureShape | null
  onPlace(geometry: Geometry): void
  onGiveUp(): void
}

/** Initial values of a new record. */
export type RecordStart = {
  kind: DefinedKind
  geometry?: Geometry
  name?: string
  description?: string
  /** Feature to duplicate, apart from its location. */
  like?: FeatureDetail
}

const published = createPublished<Placing>()

/** Placing state of the open form; null without a form. */
export const usePlacing = published.use

/** Publishes the state while the form is mounted. `sign` must keep its identity while it looks the same. */
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
