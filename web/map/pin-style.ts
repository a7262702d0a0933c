import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { assetColors, incidentColors, untypedColor, viewerColors } from '#domain/features/palette.ts'

/** Section 9 of the specification, 'Colours': by type; gray where nobody knows the type. */
export function pinColor(type: FeatureType | null): string {
  const colors: Record<string, string> = { ...incidentColors, ...assetColors }
  return (type !== null && colors[type]) || untypedColor
}

/** Section 9, 'Markers': in the viewer by shape; areas of incidents are red. */
export function shapeColor(kind: FeatureKind, shape: FeatureShape): string {
  if (shape === 'polygon' && kind === 'incident') return viewerColors.polygonIncident
  return viewerColors[shape]
}

/** Yellow and orange pins carry a dark glyph: white on them cannot be read. */
export function glyphColor(color: string): string {
  const [red, green, blue] = [1, 3, 5].map(
    (start) => Number.parseInt(color.slice(start, start + 2), 16) / 255,
  )
  const linear = (value = 0) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  return luminance > 0.3 ? '#1b1f21' : '#ffffff'
}
