import type { FoundColumn } from '#domain/imports/import-draft.schema.ts'

const mostExamples = 3
const mostCharacters = 80

/** The columns of the first rows, in the order in which they come, with some of their values. */
export function columnsOfRows(rows: readonly (readonly (readonly [string, unknown])[])[]): FoundColumn[] {
  const examples = new Map<string, Set<string>>()
  for (const row of rows)
    for (const [name, value] of row) {
      const known = examples.get(name) ?? new Set()
      examples.set(name, known)
      const text = value === null || value === undefined ? '' : shown(value)
      if (text !== '' && known.size < mostExamples) known.add(text)
    }
  return [...examples].map(([name, values]) => ({ name, examples: [...values] }))
}

function shown(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1).toWellFormed()}…` : text
}
