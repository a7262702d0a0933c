import { ReportPanel } from '#web/reports/report-panel.tsx'
import type { Workspace } from '#web/workspace/use-workspace.ts'
import type { MapSearch } from './map-search.ts'

/** Close enough to see which tree it is. */
const closestZoom = 17

type NewReportProps = { workspace: Workspace<MapSearch>; onClose(): void }

export function NewReport({ workspace, onClose }: NewReportProps) {
  const { mapId, address, viewport, mapRef } = workspace
  return (
    <ReportPanel
      mapId={mapId}
      center={viewport?.camera ?? null}
      assetId={address.search.asset ?? null}
      isPlaced={address.search.report === 'here'}
      onMove={({ lat, lng }) =>
        mapRef.current?.flyTo({ lat, lng, zoom: Math.max(closestZoom, viewport?.camera.zoom ?? 0) })
      }
      onClose={onClose}
    />
  )
}
