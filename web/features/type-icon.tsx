import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { pinColors } from '#web/map/pin-style.ts'
import { glyphPaths } from '#web/map/type-glyphs.ts'
import { PinIcon } from './pin-icon.tsx'

type TypeIconProps = {
  kind: FeatureKind
  type: FeatureType | null
  isResolved?: boolean
  isSelected?: boolean
  size?: number
}

/** Looks as on the map: hollow for a resolved incident, outline and tint for a parcel. Hidden from screen readers. */
export function TypeIcon({ kind, type, isResolved = false, isSelected = false, size = 28 }: TypeIconProps) {
  const { pin, color: colors } = kindTraits[kind]
  if (pin === null)
    return <LandIcon color={colors[isSelected ? 'selected' : 'normal']} isSelected={isSelected} size={size} />
  const light = pinColors(type, isResolved, false)
  const dark = pinColors(type, isResolved, true)
  const scheme = (part: keyof typeof light) => `light-dark(${light[part]}, ${dark[part]})`
  return (
    <PinIcon
      form={pin}
      fill={scheme('fill')}
      stroke={scheme(isResolved ? 'stroke' : 'fill')}
      glyph={scheme('glyph')}
      paths={glyphPaths(kind, type)}
      size={size}
    />
  )
}

function LandIcon({ color, isSelected, size }: { color: string; isSelected: boolean; size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 30 30" aria-hidden="true" style={{ flex: 'none' }}>
      <path
        d="M5 7 21 4l5 19-19 3Z"
        fill={color}
        fillOpacity={isSelected ? 0.2 : 0.14}
        stroke={color}
        strokeWidth={isSelected ? 3 : 2}
        strokeLinejoin="round"
      />
    </svg>
  )
}
