import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import {
  importDraftQuery,
  importSampleQuery,
  type RowsShown,
  trialPlacesQuery,
} from '#web/api/imports.api.ts'
import { ColoredShapes, MarkedPlace } from '#web/map/colored-shapes.tsx'
import { outcomeColors } from './words.ts'

type TrialLayersProps = {
  mapId: string
  draftId: string
  shown: RowsShown | undefined
  extent: Bounds | null
  marked: LatLng | null
}

export function ImportLayers(props: TrialLayersProps) {
  const { data: draft } = useQuery({ ...importDraftQuery(props.mapId, props.draftId), enabled: false })
  if (draft?.state === 'examined' && draft.found?.extent) {
    const { layer, projection, areCoordinatesSwapped } = draft.settings
    const version = JSON.stringify([layer, projection, areCoordinatesSwapped])
    return <SampleLayer mapId={props.mapId} draft={draft} version={version} />
  }
  return draft?.state === 'tried' ? <TrialLayers {...props} /> : null
}

/** `version` changes with the settings that move the rows. */
type SampleLayerProps = { mapId: string; draft: ImportDraft; version: string }

function SampleLayer({ mapId, draft, version }: SampleLayerProps) {
  const { data } = useQuery(importSampleQuery(mapId, draft.id, version))
  if (!data) return null
  return (
    <ColoredShapes id="import" data={data} property="outcome" colors={outcomeColors} rest={sampleColor} />
  )
}

const sampleColor = '#1c7ed6'

function TrialLayers({ mapId, draftId, shown, extent, marked }: TrialLayersProps) {
  const outcome = shown === 'repaired' ? undefined : shown
  const places = useQuery({
    ...trialPlacesQuery(mapId, draftId, { outcome, extent }),
    placeholderData: keepPreviousData,
  })
  if (!places.data) return null
  return (
    <>
      <ColoredShapes
        id="trial"
        data={places.data}
        property="outcome"
        colors={outcomeColors}
        rest={sampleColor}
      />
      {marked && <MarkedPlace place={marked} color={sampleColor} />}
    </>
  )
}
