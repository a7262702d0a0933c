import { z } from 'zod'
import { bounds, latLng } from '#domain/geometry/geometry.schema.ts'
import { instant, metadataName } from '#domain/values/common.schema.ts'
import { baseMaps, defaultDrawingTools, drawingTools, maxZoom, minZoom } from './map-constants.ts'

/** More columns than any file of ours has. */
export const mostPublicMetadata = 200

export const mapConfiguration = z
  .object({
    center: latLng,
    startZoom: z
      .number('A zoom is a number.')
      .min(minZoom, `The zoom is at least ${minZoom}.`)
      .max(maxZoom, `The zoom is at most ${maxZoom}.`),
    defaultMapType: z.enum(baseMaps),
    mapTypes: z
      .array(z.enum(baseMaps))
      .min(1, 'Choose at least one map type.')
      .refine((types) => new Set(types).size === types.length, 'No map type may be named twice.'),
    /** Confines panning; null is no limit. */
    mapBounds: bounds.nullable(),
    /** Whether the public sees owners, tax information and reporters. */
    showPersonalData: z.boolean(),
    /**
     * Names of the metadata that the public sees. Everything else that a file contained is for staff, as nobody has
     * checked it.
     */
    publicMetadata: z
      .array(metadataName)
      .max(mostPublicMetadata, `At most ${mostPublicMetadata} names can be published.`)
      .refine((names) => new Set(names).size === names.length, 'No name may be given twice.'),
    drawingTools: z.array(z.enum(drawingTools)),
  })
  .refine((value) => value.mapTypes.includes(value.defaultMapType), {
    path: ['defaultMapType'],
    message: 'The default must be one of the map types.',
  })
export type MapConfiguration = z.infer<typeof mapConfiguration>

/**
 * Section 3, 'Map configuration (default)'. What is proposed for a map without land; it is not applied. What a stored
 * one leaves out is taken from here, so that personal data stays hidden unless somebody decided otherwise.
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

/** The names of both forms of section 3 as ours: `mapBouds`, `center` as [lat, lng], `zoom` for `startZoom`. */
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

/** Reads a configuration in any of its forms; what it leaves out is taken from `present`. */
export function configurationReader(present: MapConfiguration) {
  return z.preprocess((input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
    const given = withOurNames(input)
    const read: Record<string, unknown> = { ...present, ...given }
    // Map types without a default: ours where it is among them, else the first.
    const types = read.mapTypes
    if (given.defaultMapType === undefined && Array.isArray(types) && !types.includes(read.defaultMapType))
      read.defaultMapType = types[0]
    return read
  }, mapConfiguration)
}

export const readableMapConfiguration = configurationReader(defaultMapConfiguration)

/**
 * While nothing is applied the configuration is a proposal, which may change with the land. `version` 0: nobody has
 * ever applied one.
 */
export const mapConfigurationAnswer = z.object({
  mapId: z.string(),
  isApplied: z.boolean(),
  version: z.number().int().min(0),
  configuration: mapConfiguration,
})
export type MapConfigurationAnswer = z.infer<typeof mapConfigurationAnswer>

/** One applied configuration of the past, or the present one; or that the applied one was taken away. */
export const configurationVersion = z.object({
  version: z.number().int().min(1),
  appliedAt: instant,
  /** Name of who applied it; null where a program did. */
  appliedBy: z.string().nullable(),
  /** The version whose configuration was brought back, where it was a restoration. */
  restoredFrom: z.number().int().nullable(),
  /** Null where nothing is applied from then on. */
  configuration: mapConfiguration.nullable(),
  /** What was applied before it; null where nothing was. */
  previous: mapConfiguration.nullable(),
})
export type ConfigurationVersion = z.infer<typeof configurationVersion>
