import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'

/** The specification counts zooms of 256-pixel tiles, the engine those of 512. Only this file converts them. */
export const toEngineZoom = (zoom: number) => zoom - 1
export const fromEngineZoom = (zoom: number) => zoom + 1

const worldPixels = 512

/** At a zoom of the engine. */
export const metersPerPixel = (lat: number, zoom: number) =>
  (earthCircumferenceMeters * Math.cos((lat * Math.PI) / 180)) / (worldPixels * 2 ** zoom)
