import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { glyphColor, pinColor } from '#web/map/pin-style.ts'
import { glyphPaths } from '#web/map/type-glyphs.ts'
import { GlyphDisc } from './glyph-disc.tsx'

type TypeIconProps = {
  kind: FeatureKind
  type: FeatureType | null
  isResolved?: boolean
  /** Pixels. */
  size?: number
}

/** The pin's colour and glyph in a disc; hollow for a resolved incident. Says nothing to a screen reader. */
export function TypeIcon({ kind, type, isResolved = false, size = 28 }: TypeIconProps) {
  const color = kind === 'parcel' ? parcelColors.normal : pinColor(type)
  const glyph = isResolved ? color : glyphColor(color)
  return (
    <GlyphDisc
      fill={isResolved ? '#ffffff' : color}
      stroke={color}
      glyph={glyph}
      paths={glyphPaths(kind, type)}
      size={size}
    />
  )
}
