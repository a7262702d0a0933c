import { Layer, Source } from '@vis.gl/react-maplibre'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'

export type TileServices = Record<
  'street' | 'satellite' | 'terrain' | 'labels',
  { url: string | null; attribution: string; maxZoom: number }
>
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

type BaseMapLayersProps = {
  baseMap: BaseMap
  tileServices: TileServices
  isDark: boolean
  /** Counts how often they were asked for anew. */
  attempt: number
}

/** All services stand in the style; the chosen ones are visible. Invisible ones ask for nothing. */
export function BaseMapLayers({ baseMap, tileServices, isDark, attempt }: BaseMapLayersProps) {
  return services.map((service) => {
    const { url, attribution, maxZoom } = tileServices[service]
    if (url === null) return null
    const id = `base-${service}-${attempt}`
    const isShown = servicesOfBaseMap[baseMap].includes(service)
    const isDimmed = isDark && (service === 'street' || service === 'terrain')
    return (
      <Source
        key={id}
        id={id}
        type="raster"
        tiles={[url]}
        tileSize={256}
        maxzoom={maxZoom}
        attribution={attribution}
      >
        <Layer
          id={id}
          type="raster"
          beforeId="data-start"
          layout={{ visibility: isShown ? 'visible' : 'none' }}
          paint={{ 'raster-brightness-max': isDimmed ? 0.72 : 1, 'raster-saturation': isDimmed ? -0.25 : 0 }}
        />
      </Source>
    )
  })
}
