import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { importDraftQuery, type RowsShown, trialPlacesQuery } from '#web/api/imports.api.ts'
import { ColouredShapes } from '#web/map/coloured-shapes.tsx'
import { outcomeColors } from './trial-words.ts'

type TrialLayersProps = {
  mapId: string
  draftId: string
  shown: RowsShown | undefined
  /** Of the map, once it is known. */
  extent: Bounds | null
}

/** The rows of a trial on the map, each in the colour of what would become of it. */
export function TrialLayers({ mapId, draftId, shown, extent }: TrialLayersProps) {
  const { data: draft } = useQuery({ ...importDraftQuery(mapId, draftId), enabled: false })
  const isTried = draft?.state === 'tried'
  const outcome = shown === 'repaired' ? undefined : shown
  const places = useQuery({
    ...trialPlacesQuery(mapId, draftId, { outcome, extent: isTried ? extent : null }),
    // What is in view stays while the map moves.
    placeholderData: keepPreviousData,
  })
  if (!isTried || !places.data) return null
  return <ColouredShapes id="trial" data={places.data} property="outcome" colours={outcomeColors} />
}
