import { drawingColors } from '#domain/features/palette.ts'
import { pinSizePixels } from '#domain/map-configuration/map-constants.ts'

export const markerImageName = 'drawn-marker'

const size = pinSizePixels * 2

/** A pin of 30 px without a glyph, unlike those of incidents and assets. */
export const markerAddress = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 30 30">
    <path d="M15 29C11 24 5 18 5 11.5a10 10 0 0 1 20 0C25 18 19 24 15 29Z" fill="${drawingColors.normal}"
      stroke="#ffffff" stroke-width="2"/>
    <circle cx="15" cy="11.5" r="3.5" fill="#ffffff"/>
  </svg>`,
)}`

export async function markerImage(): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = markerAddress
  await image.decode()
  return image
}
