import { z } from 'zod'
import { mapSummary } from '#domain/clients/client.schema.ts'
import { featureSummary, pageOf } from '#domain/features/feature.schema.ts'
import { mapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'

/** Raster tiles, a MapLibre style, or a PMTiles file. */
const baseMapAddress = z.object({ format: z.enum(['raster', 'style', 'pmtiles']), url: z.string() })
export type BaseMapAddress = z.infer<typeof baseMapAddress>

/**
 * `light` is null if the operator disabled it, `dark` if it has no dark version. Credit and greatest zoom are
 * those of raster tiles: other formats contain their own.
 */
const tileService = z.object({
  light: baseMapAddress.nullable(),
  dark: baseMapAddress.nullable(),
  attribution: z.string(),
  maxZoom: z.number(),
})
export type TileService = z.infer<typeof tileService>

export const pageSettings = z.object({
  defaultMapId: z.string().nullable(),
  sendsMail: z.boolean(),
  tileServices: z.object({
    street: tileService,
    satellite: tileService,
    terrain: tileService,
    labels: tileService,
  }),
})
export type PageSettings = z.infer<typeof pageSettings>
export type TileServices = PageSettings['tileServices']

/** First answers of a map, sent with the page to save requests. Public data only. */
export const openingData = z.object({
  settings: pageSettings,
  map: z
    .object({
      summary: mapSummary,
      configuration: mapConfigurationAnswer,
      /** First page of `openingList`; null if the page shows another list first. */
      list: pageOf(featureSummary).nullable(),
    })
    .nullable(),
})
export type OpeningData = z.infer<typeof openingData>
