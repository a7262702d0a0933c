import { z } from 'zod'
import { bounds, latLng } from '#domain/geometry/geometry.schema.ts'
import { instant, metadataName } from '#domain/values/common.schema.ts'
import { baseMaps, defaultDrawingTools, drawingTools, maxZoom, minZoom } from './map-constants.ts'

export const maxPublicMetadata = 200

export const mapConfiguration = z
  .object({
    center: latLng,
    startZoom: z
      .number('The zoom must be a number.')
      .min(minZoom, `The zoom must be at least ${minZoom}.`)
      .max(maxZoom, `The zoom must be at most ${maxZoom}.`),
    defaultMapType: z.enum(baseMaps),
    mapTypes: z
      .array(z.enum(baseMaps))
      .min(1, 'Choose at least one map type.')
      .refine((types) => new Set(types).size === types.length, 'Choose each map type once.'),
    /** Limits panning; null is no limit. */
    mapBounds: bounds.nullable(),
    showPersonalData: z.boolean(),
    /** All other metadata is for staff, because it is unchecked. */
    publicMetadata: z
      .array(metadataName)
      .max(maxPublicMetadata, `At most ${maxPublicMetadata} names can be public.`)
      .refine((names) => new Set(names).size === names.length, 'List each name once.'),
    drawingTools: z.array(z.enum(drawingTools)),
  })
  .refine((value) => value.mapTypes.includes(value.defaultMapType), {
    path: ['defaultMapType'],
    message: 'The default must be one of the selected map types.',
  })
export type MapConfiguration = z.infer<typeof mapConfiguration>

/**
 * Section 3, 'Map configuration (default)'. Also fills gaps of stored configurations, so that personal data
 * stays hidden by default.
 */
export const defaultMapConfiguration: MapConfiguration = {
  center: { lat: 34.05, lng: -111.09 },
  startZoom: 14,
  defaultMapType: 'street',
  mapTypes: ['satellite', 'street'],
  mapBounds: null,
  showPersonalData: false,
  publicMetadata: [],
  drawingTools: [...defaultDrawingTools],
}

/** Alternative names of section 3: `mapBouds`, `center` as [lat, lng], `zoom` for `startZoom`. */
function withOurNames(input: object): Record<string, unknown> {
  const { mapBouds, zoom, ...rest } = input as Record<string, unknown>
  const center = Array.isArray(rest.center) ? { lat: rest.center[0], lng: rest.center[1] } : rest.center
  return {
    ...rest,
    ...(center === undefined ? {} : { center }),
    ...(rest.startZoom === undefined && zoom !== undefined ? { startZoom: zoom } : {}),
    ...(rest.mapBounds === undefined && mapBouds !== undefined ? { mapBounds: mapBouds } : {}),
  }
}

export function configurationReader(current: MapConfiguration) {
  return z.preprocess((input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
    const given = withOurNames(input)
    const read: Record<string, unknown> = { ...current, ...given }
    const types = read.mapTypes
    if (given.defaultMapType === undefined && Array.isArray(types) && !types.includes(read.defaultMapType))
      read.defaultMapType = types[0]
    return read
  }, mapConfiguration)
}

export const readableMapConfiguration = configurationReader(defaultMapConfiguration)

/** Without an applied configuration: a proposal that may change with the land, with `version` 0. */
export const mapConfigurationAnswer = z.object({
  mapId: z.string(),
  isApplied: z.boolean(),
  version: z.number().int().min(0),
  configuration: mapConfiguration,
})
export type MapConfigurationAnswer = z.infer<typeof mapConfigurationAnswer>

export const configurationVersion = z.object({
  version: z.number().int().min(1),
  appliedAt: instant,
  appliedBy: z.string().nullable(),
  restoredFrom: z.number().int().nullable(),
  configuration: mapConfiguration.nullable(),
  previous: mapConfiguration.nullable(),
})
export type ConfigurationVersion = z.infer<typeof configurationVersion>
