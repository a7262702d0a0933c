import type { ConvertedFormat } from '#domain/exports/export-format.ts'

/** A file of GeoJSON lines that becomes a layer; only a Shapefile has several, which have names. */
export type LayerToConvert = { name: string; path: string; isEmpty: boolean }

export type ConvertOrder = {
  format: ConvertedFormat
  layers: readonly LayerToConvert[]
  /** Where the files are written. */
  folder: string
  /** What the layer is called: the file's name without its ending. */
  name: string
}

/** The files that were written. */
export type ConvertAnswer = { paths: string[] } | { problem: string }
