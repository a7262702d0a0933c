type GlyphDiscProps = {
  fill: string
  stroke: string
  glyph: string
  /** What stands between <svg> and </svg>; 24 x 24. */
  paths: string
  /** Pixels. */
  size: number
}

/** The sign of a pin in a disc. Says nothing to a screen reader. */
export function GlyphDisc({ fill, stroke, glyph, paths, size }: GlyphDiscProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 30 30" aria-hidden="true" style={{ flex: 'none' }}>
      <circle cx="15" cy="15" r="14" fill={fill} stroke={stroke} strokeWidth="2" />
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
        dangerouslySetInnerHTML={{ __html: paths }}
      />
    </svg>
  )
}
