import { z } from 'zod'
import { mapSummary } from '#domain/clients/client.schema.ts'
import { featureSummary, pageOf } from '#domain/features/feature.schema.ts'
import { mapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'

/** Raster tiles by their place, a MapLibre style, or a PMTiles file. */
const baseMapAddress = z.object({ format: z.enum(['raster', 'style', 'pmtiles']), url: z.string() })
export type BaseMapAddress = z.infer<typeof baseMapAddress>

/**
 * One base map: `light` null where the operator switched it off, `dark` where it is the same in dark colors. Credit and
 * greatest zoom are those of raster tiles: everything else says itself.
 */
const tileService = z.object({
  light: baseMapAddress.nullable(),
  dark: baseMapAddress.nullable(),
  attribution: z.string(),
  maxZoom: z.number(),
})
export type TileService = z.infer<typeof tileService>

/** Settings that the page needs before it shows a map. */
export const pageSettings = z.object({
  defaultMapId: z.string().nullable(),
  tileServices: z.object({
    street: tileService,
    satellite: tileService,
    terrain: tileService,
    labels: tileService,
  }),
})
export type PageSettings = z.infer<typeof pageSettings>
export type TileServices = PageSettings['tileServices']

/** The first answers of a map, sent with the page to save requests. They are public. */
export const openingData = z.object({
  settings: pageSettings,
  /** Null where the address leads to no map. */
  map: z
    .object({
      summary: mapSummary,
      configuration: mapConfigurationAnswer,
      /** The first page of `openingList`; null where the page shows another list first, or asks for itself. */
      list: pageOf(featureSummary).nullable(),
    })
    .nullable(),
})
export type OpeningData = z.infer<typeof openingData>
