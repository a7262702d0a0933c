import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { firstParcelZoom, initialView, selectionZoom } from '#domain/map-configuration/map-constants.ts'
import type { Camera } from './map-camera.ts'

export type OpeningState = {
  fromAddress: Camera | undefined
  selection: LatLng | undefined
  configuration: MapConfigurationAnswer | undefined
  summary: MapSummary | undefined
}

/** The first of: camera in the address, selected feature, applied configuration, first parcel, the country. */
export function openingCamera({ fromAddress, selection, configuration, summary }: OpeningState): Camera {
  if (fromAddress) return fromAddress
  if (selection) return { ...selection, zoom: selectionZoom }
  if (configuration?.isApplied) {
    const { center, startZoom } = configuration.configuration
    return { ...center, zoom: startZoom }
  }
  if (summary?.firstParcel) return { ...summary.firstParcel, zoom: firstParcelZoom }
  return { ...initialView.center, zoom: initialView.zoom }
}
