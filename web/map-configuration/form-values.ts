import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import { bounds as boundsSchema, latLng } from '#domain/geometry/geometry.schema.ts'
import type { ConfigurationField } from '#domain/map-configuration/configuration-changes.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'

/** The fields of the panel as they were typed: text that may be no number yet. */
export type FormValues = {
  lat: string
  lng: string
  startZoom: number
  mapTypes: BaseMap[]
  defaultMapType: BaseMap
  hasBounds: boolean
  north: string
  east: string
  south: string
  west: string
  showPersonalData: boolean
  publicMetadata: string[]
  drawingTools: MapConfiguration['drawingTools']
}

/** About a metre: more digits would only look exact. */
const decimals = 5

const written = (value: number) => String(Number(value.toFixed(decimals)))
const read = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

export function centerValues({ lat, lng }: LatLng): Pick<FormValues, 'lat' | 'lng'> {
  return { lat: written(lat), lng: written(lng) }
}

export function boundsValues(bounds: Bounds | null) {
  if (!bounds) return { hasBounds: false }
  const { north, east, south, west } = bounds
  return {
    hasBounds: true,
    north: written(north),
    east: written(east),
    south: written(south),
    west: written(west),
  }
}

/** Keeps every digit of a stored configuration, so that looking at it changes nothing. */
export function formValues(configuration: MapConfiguration): FormValues {
  const { center, mapBounds, ...rest } = configuration
  const none = { hasBounds: false, north: '', east: '', south: '', west: '' }
  return {
    ...rest,
    lat: String(center.lat),
    lng: String(center.lng),
    ...(mapBounds
      ? {
          hasBounds: true,
          north: String(mapBounds.north),
          east: String(mapBounds.east),
          south: String(mapBounds.south),
          west: String(mapBounds.west),
        }
      : none),
  }
}

/** What the fields say: a configuration once the schema has accepted it. */
export function candidateOf(values: FormValues): MapConfiguration {
  const { lat, lng, hasBounds, north, east, south, west, ...rest } = values
  return {
    ...rest,
    center: { lat: read(lat), lng: read(lng) },
    mapBounds: hasBounds
      ? { north: read(north), east: read(east), south: read(south), west: read(west) }
      : null,
  }
}

/** What the fields say of some settings alone. */
export function valuesOf(values: FormValues, fields: readonly ConfigurationField[]): Partial<FormValues> {
  const names = fields.flatMap((field): (keyof FormValues)[] => {
    if (field === 'center') return ['lat', 'lng']
    return field === 'mapBounds' ? ['hasBounds', 'north', 'east', 'south', 'west'] : [field]
  })
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

/** Of a half-typed working copy, what the map can already show. */
export function previewOf({ center, mapBounds }: MapConfiguration) {
  return {
    center: latLng.safeParse(center).data ?? null,
    mapBounds: boundsSchema.safeParse(mapBounds).data ?? null,
  }
}
