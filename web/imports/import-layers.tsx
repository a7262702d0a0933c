import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FeatureCollection, Geometry, Point } from 'geojson'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import {
  importDraftQuery,
  importSampleQuery,
  type RowsShown,
  trialPlacesQuery,
} from '#web/api/imports.api.ts'
import { ColoredShapes } from '#web/map/colored-shapes.tsx'
import { outcomeColors } from './trial-words.ts'

type TrialLayersProps = {
  mapId: string
  draftId: string
  shown: RowsShown | undefined
  /** Of the map, once it is known. */
  extent: Bounds | null
}

/** What an import would bring, on the map as soon as it is known where that is. */
export function ImportLayers(props: TrialLayersProps) {
  const { data: draft } = useQuery({ ...importDraftQuery(props.mapId, props.draftId), enabled: false })
  if (draft?.state === 'examined' && draft.found?.layer != null)
    return (
      <SampleLayer
        mapId={props.mapId}
        draft={draft}
        layer={`${draft.found.layer} ${draft.settings.projection}`}
      />
    )
  return draft?.state === 'tried' ? <TrialLayers {...props} /> : null
}

type SampleLayerProps = { mapId: string; draft: ImportDraft; layer: string }

function SampleLayer({ mapId, draft, layer }: SampleLayerProps) {
  const { data } = useQuery(importSampleQuery(mapId, draft.id, layer))
  if (!data) return null
  const shown = draft.settings.areCoordinatesSwapped ? swapped(data) : data
  return (
    <ColoredShapes id="import" data={shown} property="outcome" colors={outcomeColors} rest={sampleColor} />
  )
}

const sampleColor = '#1c7ed6'

/** Latitude for longitude. */
function swapped(data: FeatureCollection): FeatureCollection {
  const turn = (coordinates: unknown): unknown =>
    Array.isArray(coordinates) && typeof coordinates[0] === 'number'
      ? [coordinates[1], coordinates[0]]
      : (coordinates as unknown[]).map(turn)
  const features = data.features.map((feature) => ({
    ...feature,
    geometry: {
      ...feature.geometry,
      coordinates: turn((feature.geometry as Point).coordinates),
    } as Geometry,
  }))
  return { ...data, features }
}

/** The rows of a trial on the map, each in the colour of what would become of it. */
function TrialLayers({ mapId, draftId, shown, extent }: TrialLayersProps) {
  const outcome = shown === 'repaired' ? undefined : shown
  const places = useQuery({
    ...trialPlacesQuery(mapId, draftId, { outcome, extent }),
    // What is in view stays while the map moves.
    placeholderData: keepPreviousData,
  })
  if (!places.data) return null
  return (
    <ColoredShapes
      id="trial"
      data={places.data}
      property="outcome"
      colors={outcomeColors}
      rest={sampleColor}
    />
  )
}
