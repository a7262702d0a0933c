/** The specification counts zooms of 256-pixel tiles, the engine those of 512: one apart. Here alone they meet. */
export const toEngineZoom = (zoom: number) => zoom - 1
export const fromEngineZoom = (zoom: number) => zoom + 1
