import { pinForms } from '#web/map/pin-style.ts'

type PinIconProps = {
  form: keyof typeof pinForms
  fill: string
  stroke: string
  glyph: string
  /** Content of an <svg>; 24 x 24. */
  paths: string
  size: number
}

export function PinIcon({ form, fill, stroke, glyph, paths, size }: PinIconProps) {
  const { outline, glyphBox } = pinForms[form]
  return (
    <svg width={size} height={size} viewBox="0 0 30 30" aria-hidden="true" style={{ flex: 'none' }}>
      <path d={outline} fill={fill} stroke={stroke} strokeWidth="2" />
      <GlyphIcon paths={paths} {...glyphBox} stroke={glyph} strokeWidth="2.2" />
    </svg>
  )
}

type GlyphIconProps = { paths: string; size: number; stroke?: string; strokeWidth?: string } & {
  x?: number
  y?: number
}

export const GlyphIcon = ({
  paths,
  size,
  stroke = 'currentColor',
  strokeWidth = '2',
  ...place
}: GlyphIconProps) => (
  <svg
    {...place}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke={stroke}
    strokeWidth={strokeWidth}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: glyphs are static files of the project
    dangerouslySetInnerHTML={{ __html: paths }}
  />
)
