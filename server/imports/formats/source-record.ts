import { formatNumber } from '#domain/values/wording.ts'
import { ImportError } from '../import-error.ts'

export type SourceRecord = {
  /** 1 for the first record of the file. */
  rowNumber: number
  line?: number
  properties: readonly (readonly [name: string, value: unknown])[]
  geometry?: unknown
  id?: unknown
  problem?: string
}

/** Rows that are not wanted are skipped: where possible, they are not even parsed. */
export type IsWanted = (rowNumber: number) => boolean

export type OnNotice = (notice: string) => void

const maxColumns = 2_000
const maxNameCharacters = 200_000

/** Throws for a table with more columns than users could match with fields, such as one written sideways. */
export function requireFewColumns(names: readonly string[]) {
  if (names.length > maxColumns)
    throw new ImportError(
      `The table has ${formatNumber(names.length)} columns, but the limit is ${formatNumber(maxColumns)}. Remove columns, or transpose the table.`,
    )
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  if (characters > maxNameCharacters)
    throw new ImportError(
      `The names of the ${formatNumber(names.length)} columns have ${formatNumber(characters)} characters, but the limit is ${formatNumber(maxNameCharacters)}. Check that the first row has the column names.`,
    )
}

export class ColumnCount {
  private readonly names = new Set<string>()
  private previous: readonly string[] = []

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
