import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { untypedColor, viewerColors } from '#domain/features/palette.ts'

const typeColors: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(kindTraits).map((traits) => traits.typeColors),
)

/** Section 9 of the specification, 'Colours'. */
export function pinColor(type: FeatureType | null): string {
  return (type !== null && typeColors[type]) || untypedColor
}

/** Section 9, 'Markers'; areas of incidents are red. */
export function shapeColor(kind: FeatureKind, shape: FeatureShape): string {
  if (shape === 'polygon' && kindTraits[kind].hasSeverity) return viewerColors.polygonIncident
  return viewerColors[shape]
}

type PinColors = { fill: string; stroke: string; glyph: string }

/** Hollow if resolved. On dark maps white would make resolved incidents the brightest: their outline is at 90%. */
export function pinColors(type: FeatureType | null, isResolved: boolean, isDark: boolean): PinColors {
  const color = pinColor(type)
  if (!isResolved) return { fill: color, stroke: '#ffffff', glyph: glyphColor(color) }
  const stroke = resolvedColor(color, isDark)
  return { fill: resolvedFill(isDark), stroke, glyph: stroke }
}

export const resolvedFill = (isDark: boolean) => (isDark ? darkGround : '#ffffff')

export const resolvedColor = (color: string, isDark: boolean) =>
  isDark ? mixed(darkGround, mixed(color, '#ffffff', 0.4), 0.9) : color

/** Beside white, so that a selection stands out from light and dark base maps. */
export const selectionEdge = '#14181b'

export const darkGround = '#1d2224'

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

function mixed(one: string, other: string, share: number): string {
  const others = channels(other)
  return `#${channels(one)
    .map((value, index) => Math.round(value + ((others[index] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
}

/** White is illegible on yellow and orange pins. */
export const glyphColor = (color: string) => (luminance(color) > 0.3 ? '#1b1f21' : '#ffffff')

export function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => value / 255)
  const linear = (value = 0) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Paths in a square of 30, touched by the outline's stroke of 2. Teardrops are incidents, on maps and in lists. */
export const pinForms = {
  teardrop: {
    outline:
      'M12.4 27.5C9.6 23 4.6 17.8 4.6 11.9a10.4 10.4 0 0 1 20.8 0C25.4 17.8 20.4 23 17.6 27.5A3 3 0 0 1 12.4 27.5Z',
    glyphBox: { x: 8.6, y: 5.4, size: 12.8 },
  },
  disc: {
    outline: 'M15 1a14 14 0 1 1 0 28a14 14 0 1 1 0-28Z',
    glyphBox: { x: 6.6, y: 6.6, size: 16.8 },
  },
} as const
