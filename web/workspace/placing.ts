import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { createPublished } from './published.ts'

// Where a record lies is said in a form and on the map. The form publishes what it knows here, the map's tool shows it
// and answers: neither knows the other.

/** How the record of the open form lies, and what is done about it on the map. */
export type Placing = {
  /** As the form calls it. */
  name: string
  /** Its sign on the map, and which of its points is the place. */
  sign: ReactNode
  anchor: 'center' | 'bottom'
  /** How it lies by now; null while nobody has said it. */
  geometry: Geometry | null
  /** Whether that is saved, and so on the map already. */
  isSaved: boolean
  /** What somebody is about to place or to draw on the map; null while nobody is. */
  task: FeatureShape | null
  onPlace(geometry: Geometry): void
  /** Nothing comes of the task. */
  onGiveUp(): void
}

/** What a record begins with that is about to be added. */
export type RecordStart = {
  kind: DefinedKind
  geometry?: Geometry
  name?: string
  description?: string
  /** What is known of this one holds of the new one, too, save where it lies. */
  like?: FeatureDetail
}

const published = createPublished<Placing>()

/** Of the form that is open; null where none is. */
export const usePlacing = published.use

/** Publishes it as long as the form is there. `sign` has to be the same while it looks the same. */
export function usePublishedPlacing(placing: Placing | null) {
  const place = useEffectEvent((geometry: Geometry) => placing?.onPlace(geometry))
  const giveUp = useEffectEvent(() => placing?.onGiveUp())
  const { name, sign, anchor, geometry, isSaved, task } = placing ?? {}
  const isOpen = placing !== null
  useEffect(() => {
    if (!isOpen) return
    const known = { name, sign, anchor, geometry, isSaved, task } as Placing
    return published.publish({ ...known, onPlace: (placed) => place(placed), onGiveUp: () => giveUp() })
  }, [isOpen, name, sign, anchor, geometry, isSaved, task])
}
