/** What rows are called: incidents have a title. */
const nameFieldOf = (fields: object): 'name' | 'title' | null =>
  'name' in fields ? 'name' : 'title' in fields ? 'title' : null

/** The warning if no column fills the name of the rows; null otherwise. */
export function unfilledName(fields: object, filled: readonly string[]): string | null {
  const field = nameFieldOf(fields)
  return field === null || filled.includes(field)
    ? null
    : `No column fills the ${field}. Choose the column that holds it.`
}
