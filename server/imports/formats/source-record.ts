/** One feature or row of a file, as the file says it: nothing of it is understood yet. */
export type SourceRecord = {
  /** 1 for the first record of the file. */
  rowNumber: number
  /** Line on which it starts, where the format has rows of text. */
  line?: number
  /** Columns of a table or properties of a feature, in the file's order. */
  properties: readonly (readonly [name: string, value: unknown])[]
  /** GeoJSON geometry, unchecked; undefined where the place is in columns. */
  geometry?: unknown
  /** GeoJSON feature id, unchecked. */
  id?: unknown
  /** Why it is no record at all. */
  problem?: string
}

/** Something to tell once, which refuses nothing: bytes read leniently, say. */
export type OnNotice = (notice: string) => void
