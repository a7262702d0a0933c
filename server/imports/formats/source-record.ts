import { ImportError } from '../import-error.ts'

/** A feature or row of a file; its values are unchecked. */
export type SourceRecord = {
  /** 1 for the first record of the file. */
  rowNumber: number
  /** Line on which it starts, in formats with rows of text. */
  line?: number
  /** Columns of a table or properties of a feature, in the order of the file. */
  properties: readonly (readonly [name: string, value: unknown])[]
  /** GeoJSON geometry, unchecked; undefined if columns have the location. */
  geometry?: unknown
  /** GeoJSON feature id, unchecked. */
  id?: unknown
  /** Why it cannot be read. */
  problem?: string
}

/** Receives messages that reject nothing, such as that text was read in another encoding. */
export type OnNotice = (notice: string) => void

const maxColumns = 2_000
/** Characters of all column names together. */
const maxNameCharacters = 200_000
const count = (value: number) => value.toLocaleString('en-US')

/** Throws for a table with more columns than users could match with fields, such as one written sideways. */
export function requireFewColumns(names: readonly string[]) {
  if (names.length > maxColumns)
    throw new ImportError(
      `The table has ${count(names.length)} columns; at most ${count(maxColumns)} can be imported. Remove columns, or swap rows and columns.`,
    )
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  if (characters > maxNameCharacters)
    throw new ImportError(
      `The names of the ${count(names.length)} columns have ${count(characters)} characters; at most ${count(maxNameCharacters)} can be imported. Check that the first row has the names.`,
    )
}

/** Counts the columns of rows that each name their own, as in JSON. */
export class ColumnCount {
  private readonly names = new Set<string>()
  private previous: readonly string[] = []

  /** Throws as `requireFewColumns` does. Most rows have the columns of the row before. */
  add(properties: SourceRecord['properties']) {
    const { previous } = this
    const isSame = properties.length === previous.length
    if (isSame && properties.every(([name], index) => name === previous[index])) return
    this.previous = properties.map(([name]) => name)
    const { size } = this.names
    for (const name of this.previous) this.names.add(name)
    if (this.names.size > size) requireFewColumns([...this.names])
  }
}
