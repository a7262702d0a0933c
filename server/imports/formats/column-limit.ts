import { ImportError } from '../import-error.ts'

/** Columns of one table. What knows the columns of a draft answers with all of them. */
const mostColumns = 2_000
/** Characters of all their names. */
const mostNameCharacters = 200_000

/** Throws for a table with more columns than anybody could match with fields, such as a table written sideways. */
export function requireFewColumns(names: readonly string[]) {
  if (names.length > mostColumns)
    throw new ImportError(
      `The table has ${count(names.length)} columns; at most ${count(mostColumns)} can be imported. Remove columns, or swap rows and columns.`,
    )
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  if (characters > mostNameCharacters)
    throw new ImportError(
      `The names of the ${count(names.length)} columns have ${count(characters)} characters; at most ${count(mostNameCharacters)} can be imported. Check that the first row has the names.`,
    )
}

const count = (value: number) => value.toLocaleString('en-US')

/** Counts the columns of rows that each have names of their own, as in JSON. */
export class ColumnCount {
  private readonly names = new Set<string>()
  private previous: readonly string[] = []

  /** Throws as `requireFewColumns` does. Most rows have the columns of the row before. */
  add(properties: readonly (readonly [string, unknown])[]) {
    const { previous } = this
    if (
      properties.length === previous.length &&
      properties.every(([name], index) => name === previous[index])
    )
      return
    this.previous = properties.map(([name]) => name)
    const { size } = this.names
    for (const name of this.previous) this.names.add(name)
    if (this.names.size > size) requireFewColumns([...this.names])
  }
}
