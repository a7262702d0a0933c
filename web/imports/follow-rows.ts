import { useEffect, useEffectEvent } from 'react'
import { partsOfBox } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'

export type FollowedMap = {
  land: Bounds | null
  view: Bounds | null
  onFollow(extent: Bounds): void
}

/** Moves the map to the rows of an import if none of them is in view, and back to the land once it is undone. */
export function useFollowRows(draft: ImportDraft, { land, view, onFollow }: FollowedMap) {
  const extent = draft.state === 'undone' ? land : extentOfRows(draft)
  const key = extent && `${draft.id} ${draft.state} ${JSON.stringify(extent)}`
  const isLoaded = view !== null
  const follow = useEffectEvent(() => {
    if (extent && view && !overlap(extent, view)) onFollow(extent)
  })
  useEffect(() => {
    if (key !== null && isLoaded) follow()
  }, [key, isLoaded])
}

export function extentOfRows({
  state,
  found,
  outcome,
}: Pick<ImportDraft, 'state' | 'found' | 'outcome'>): Bounds | null {
  if (state === 'examined') return found?.extent ?? null
  return state === 'tried' || state === 'imported' ? (outcome?.extent ?? null) : null
}

/** Either box may cross the date line. */
export function overlap(one: Bounds, other: Bounds): boolean {
  return partsOfBox(one).some((a) =>
    partsOfBox(other).some(
      (b) => a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south,
    ),
  )
}
