import type { FeatureColumns } from '../database/tables.ts'

/** What a tile says of a feature besides its id. `shape` tells what it is where a point stands for it. */
export const lookTags = ['shape', 'type', 'status', 'severity'] as const

/** What many features have in common; features that look alike share one object. */
export type Look = Readonly<Pick<FeatureColumns, 'kind' | (typeof lookTags)[number]>>

const parts = ['kind', ...lookTags] as const

/** The columns that make a look, for a query that reads them as one text: five texts a row take twice as long. */
export const lookColumns: readonly (keyof FeatureColumns)[] = parts
export const partsParting = '/'

/** There are as many as combinations of words that a column may hold. */
const looks = new Map<string, Look>()

export function lookOf(text: string): Look {
  const known = looks.get(text)
  if (known) return known
  const values = text.split(partsParting).map((value) => (value === '' ? null : value))
  const look = Object.fromEntries(parts.map((part, index) => [part, values[index]])) as Look
  looks.set(text, look)
  return look
}
