import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { glyphColor, shapeColor } from '#web/map/pin-style.ts'
import { shapeGlyphPaths } from '#web/map/type-glyphs.ts'
import { PinIcon } from './pin-icon.tsx'

type ShapeIconProps = {
  kind: FeatureKind
  shape: FeatureShape
  type: FeatureType | null
  size?: number
}

export function ShapeIcon({ kind, shape, type, size = 28 }: ShapeIconProps) {
  const color = shapeColor(kind, shape)
  return (
    <PinIcon
      form="disc"
      fill={color}
      stroke={color}
      glyph={glyphColor(color)}
      paths={shapeGlyphPaths(shape, kind, type)}
      size={size}
    />
  )
}
