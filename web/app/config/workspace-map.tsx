import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureKind } from '#domain/features/kinds.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { type BaseMap, mainViewBaseMaps } from '#domain/map-configuration/map-constants.ts'
import { featureDetailQuery, tileAddress } from '#web/api/features.api.ts'
import type { PageSettings } from '#web/api/maps.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { SavedDrawings } from '#web/drawings/saved-drawings.tsx'
import { BoundsFrame } from '#web/map/bounds-frame.tsx'
import { CentreCross } from '#web/map/centre-cross.tsx'
import { type MapHandle, MapView } from '#web/map/map-view.tsx'
import type { MapViewport } from '#web/map-configuration/map-viewport.ts'
import type { ConfigurationDraft } from '#web/map-configuration/use-configuration-draft.ts'
import type { Camera } from '#web/workspace/map-camera.ts'
import { BaseMapButtons, ViewButtons } from '#web/workspace/map-controls.tsx'
import { openingCamera } from '#web/workspace/opening-camera.ts'
import { useMapChoice } from '#web/workspace/use-map-choice.ts'
import { WhatIsHere } from '#web/workspace/what-is-here.tsx'
import type { WorkspaceSearch } from './workspace-search.ts'

type WorkspaceMapProps = {
  mapRef: RefObject<MapHandle | null>
  settings: PageSettings
  summary: MapSummary
  configuration: MapConfigurationAnswer
  /** The working copy to be shown; null shows what is applied. */
  draft: ConfigurationDraft | null
  /** What of the features is selected and filtered; null shows all of them, and none can be selected. */
  shown: WorkspaceSearch | null
  onSelect(id: string): void
  /** Where the address says to look; the map opens there. */
  camera: Camera | undefined
  onViewport(viewport: MapViewport): void
}

/** The map beside the panel. Bounds are shown, not enforced: whoever sets them must see what lies outside. */
export function WorkspaceMap({ mapRef, settings, summary, configuration, ...props }: WorkspaceMapProps) {
  const { draft, shown, onSelect, camera, onViewport } = props
  const selectedId = shown?.select
  const isDark = useComputedColorScheme('light') === 'dark'
  const isStaff = useMay('editor', summary.id)
  const detail = useQuery({
    ...featureDetailQuery(summary.id, selectedId ?? ''),
    enabled: selectedId !== undefined,
  })
  const choice = useMapChoice({ mapId: summary.id, filter: { type: shown?.type }, onSelect })
  const [chosen, setChosen] = useState<BaseMap | null>(null)
  const { offered, preferred } = baseMapsOf(configuration, draft)
  const baseMap = chosen !== null && offered.includes(chosen) ? chosen : preferred
  const [opening] = useState(() =>
    openingCamera({ fromAddress: camera, selection: undefined, configuration, summary }),
  )

  return (
    <MapView
      ref={mapRef}
      label="Map"
      initialCamera={opening}
      bounds={null}
      baseMap={baseMap}
      tileServices={settings.tileServices}
      isDark={isDark}
      look="types"
      tiles={tileAddress(summary.id, { type: shown?.type })}
      isVisible={visibleKinds(shown?.kind)}
      selected={selectedId === undefined ? null : (detail.data ?? null)}
      place={null}
      labels={[]}
      onCameraChange={(moved, extent) => onViewport({ camera: moved, extent })}
      onClick={shown ? choice.clickMap : undefined}
      onAskWhatIsHere={shown ? choice.askWhatIsHere : undefined}
      layers={
        <>
          {isStaff && <SavedDrawings mapId={summary.id} />}
          {draft && (
            <>
              <BoundsFrame
                bounds={draft.preview.mapBounds}
                landOutside={draft.outside.landOutside === 'none' ? null : draft.land}
                isDark={isDark}
              />
              <CentreCross
                position={draft.preview.center}
                onMove={draft.isReadOnly ? undefined : (center) => draft.setCenter(center)}
              />
            </>
          )}
        </>
      }
    >
      <BaseMapButtons offered={offered} value={baseMap} onChange={setChosen} />
      <ViewButtons
        onZoom={(levels) => mapRef.current?.zoomBy(levels)}
        onHome={
          summary.extent ? () => summary.extent && mapRef.current?.fitExtent(summary.extent) : undefined
        }
      />
      {shown && choice.asked && (
        <WhatIsHere
          mapId={summary.id}
          {...choice.asked}
          onSelect={(id) => {
            choice.forget()
            onSelect(id)
          }}
          onClose={choice.forget}
        />
      )}
    </MapView>
  )
}

function visibleKinds(only: FeatureKind | undefined): Record<FeatureKind, boolean> {
  const isVisible = (kind: FeatureKind) => only === undefined || only === kind
  return { incident: isVisible('incident'), asset: isVisible('asset'), parcel: isVisible('parcel') }
}

function baseMapsOf(
  configuration: MapConfigurationAnswer,
  draft: ConfigurationDraft | null,
): { offered: readonly BaseMap[]; preferred: BaseMap } {
  const { mapTypes, defaultMapType } = draft ? draft.values : configuration.configuration
  if (draft || configuration.isApplied) return { offered: mapTypes, preferred: defaultMapType }
  return { offered: mainViewBaseMaps, preferred: 'street' }
}
