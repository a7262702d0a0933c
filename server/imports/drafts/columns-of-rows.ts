import type { FoundColumn } from '#domain/imports/import-draft.schema.ts'

const mostExamples = 3
const mostCharacters = 80
/** A column with more different values says something else than one of a few words. */
const mostValues = 40

/** The columns of the first rows, in the order in which they come, with some of their values. */
export function columnsOfRows(rows: readonly (readonly (readonly [string, unknown])[])[]): FoundColumn[] {
  const found = new Map<string, Set<string>>()
  for (const row of rows)
    for (const [name, value] of row) {
      const known = found.get(name) ?? new Set()
      found.set(name, known)
      const text = value === null || value === undefined ? '' : shown(value)
      if (text !== '' && known.size <= mostValues) known.add(text)
    }
  return [...found].map(([name, values]) => ({
    name,
    examples: [...values].slice(0, mostExamples),
    values: isOfWords(values) ? [...values] : null,
  }))
}

/** What is cut is no word that a row says. */
const isOfWords = (values: ReadonlySet<string>) =>
  values.size <= mostValues && [...values].every((value) => value.length < mostCharacters)

function shown(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1).toWellFormed()}…` : text
}
