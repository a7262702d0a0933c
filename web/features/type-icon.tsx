import type { FeatureType } from '#domain/features/filters.ts'
import type { FeatureKind } from '#domain/features/kinds.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { glyphColor, pinColor } from '#web/map/pin-style.ts'
import { glyphPaths } from '#web/map/type-glyphs.ts'

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
    <svg width={size} height={size} viewBox="0 0 30 30" aria-hidden="true" style={{ flex: 'none' }}>
      <circle cx="15" cy="15" r="14" fill={isResolved ? '#ffffff' : color} stroke={color} strokeWidth="2" />
      <svg
        x="6.6"
        y="6.6"
        width="16.8"
        height="16.8"
        viewBox="0 0 24 24"
        fill="none"
        stroke={glyph}
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the glyphs are files of ours, known at build time
        dangerouslySetInnerHTML={{ __html: glyphPaths(kind, type) }}
      />
    </svg>
  )
}
