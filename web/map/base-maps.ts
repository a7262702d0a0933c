import type { RasterLayerSpecification, RasterSourceSpecification } from 'maplibre-gl'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import type { TileServices } from '#domain/opening/opening.schema.ts'

type ServiceName = keyof TileServices

/** Hybrid is satellite under reference labels. */
const servicesOfBaseMap: Record<BaseMap, ServiceName[]> = {
  street: ['street'],
  satellite: ['satellite'],
  terrain: ['terrain'],
  hybrid: ['satellite', 'labels'],
}
const services: ServiceName[] = ['street', 'satellite', 'terrain', 'labels']

/** Whether the operator left any service for it. */
export function hasTiles(baseMap: BaseMap, tileServices: TileServices): boolean {
  return servicesOfBaseMap[baseMap].some((service) => tileServices[service].url !== null)
}

export const hasAnyTiles = (tileServices: TileServices) =>
  services.some((service) => tileServices[service].url !== null)

export const isBaseSource = (source: string | undefined) => source?.startsWith('base-') === true

export type BaseMapChoice = {
  baseMap: BaseMap
  tileServices: TileServices
  isDark: boolean
  /** Counts how often they were asked for anew. */
  attempt: number
}

type BaseMapPart = { id: string; source: RasterSourceSpecification; layer: RasterLayerSpecification }

/** All services stand in the style; the chosen ones are visible. Invisible ones ask for nothing. */
export function baseMapParts({ baseMap, tileServices, isDark, attempt }: BaseMapChoice): BaseMapPart[] {
  return services.flatMap((service) => {
    const { url, attribution, maxZoom } = tileServices[service]
    if (url === null) return []
    const id = `base-${service}-${attempt}`
    const isShown = servicesOfBaseMap[baseMap].includes(service)
    const isDimmed = isDark && (service === 'street' || service === 'terrain')
    return {
      id,
      source: { type: 'raster', tiles: [url], tileSize: 256, maxzoom: maxZoom, attribution },
      layer: {
        id,
        type: 'raster',
        source: id,
        layout: { visibility: isShown ? 'visible' : 'none' },
        paint: { 'raster-brightness-max': isDimmed ? 0.72 : 1, 'raster-saturation': isDimmed ? -0.25 : 0 },
      },
    }
  })
}
