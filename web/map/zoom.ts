/** The specification counts zooms of 256-pixel tiles, the engine those of 512. Only this file converts them. */
export const toEngineZoom = (zoom: number) => zoom - 1
export const fromEngineZoom = (zoom: number) => zoom + 1
