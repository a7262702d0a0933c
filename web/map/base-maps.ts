import type { RasterLayerSpecification, RasterSourceSpecification } from 'maplibre-gl'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import type { BaseMapAddress, TileService, TileServices } from '#domain/opening/opening.schema.ts'

type ServiceName = keyof TileServices

/** Hybrid is satellite under reference labels. */
const servicesOfBaseMap: Record<BaseMap, ServiceName[]> = {
  street: ['street'],
  satellite: ['satellite'],
  terrain: ['terrain'],
  hybrid: ['satellite', 'labels'],
}
const services: ServiceName[] = ['street', 'satellite', 'terrain', 'labels']

export function hasTiles(baseMap: BaseMap, tileServices: TileServices): boolean {
  return servicesOfBaseMap[baseMap].some((service) => tileServices[service].light !== null)
}

export const hasAnyTiles = (tileServices: TileServices) =>
  services.some((service) => tileServices[service].light !== null)

const basePrefix = 'base-'
export const isBaseSource = (source: string | undefined) => source?.startsWith(basePrefix) === true

export type BaseMapChoice = {
  baseMap: BaseMap
  tileServices: TileServices
  isDark: boolean
  attempt: number
}

type BaseMapPart = { id: string; source: RasterSourceSpecification; layer: RasterLayerSpecification }

const addressOf = ({ light, dark }: TileService, isDark: boolean) => (isDark && dark) || light

/** Unique for each address and retry. */
const nameOf = (service: ServiceName, { tileServices, isDark, attempt }: BaseMapChoice) =>
  `${basePrefix}${service}${isDark && tileServices[service].dark ? '-dark' : ''}-${attempt}`

/** The style contains all raster services; the chosen ones are visible. Invisible ones load nothing. */
export function baseMapParts(choice: BaseMapChoice): BaseMapPart[] {
  const { baseMap, tileServices, isDark } = choice
  return services.flatMap((service) => {
    const { dark, attribution, maxZoom } = tileServices[service]
    const address = addressOf(tileServices[service], isDark)
    if (address?.format !== 'raster') return []
    const id = nameOf(service, choice)
    const isShown = servicesOfBaseMap[baseMap].includes(service)
    const isDimmed = isDark && !dark && (service === 'street' || service === 'terrain')
    return {
      id,
      source: { type: 'raster', tiles: [address.url], tileSize: 256, maxzoom: maxZoom, attribution },
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

export type ReadBaseMap = { id: string; address: BaseMapAddress; isDark: boolean }

export function baseMapsToRead(choice: BaseMapChoice): ReadBaseMap[] {
  const { baseMap, tileServices, isDark } = choice
  return servicesOfBaseMap[baseMap].flatMap((service) => {
    const address = addressOf(tileServices[service], isDark)
    if (!address || address.format === 'raster') return []
    return { id: `${nameOf(service, choice)}${isDark ? '-at-night' : ''}`, address, isDark }
  })
}
