import type { FoundInFiles } from '#domain/imports/import-draft.schema.ts'
import { ImportError } from '../import-error.ts'

/** Of what is known of the files of a draft, as JSON: it is read with every request for the draft. */
const mostCharacters = 2 ** 20

/**
 * Leaves out the values of the last columns where there are too many to answer with. Throws when the names of the layers alone
 * are too many.
 */
export function fitFound(found: FoundInFiles): FoundInFiles {
  const bare = found.columns.map(({ name }) => ({ name, examples: [], values: null }))
  const room = mostCharacters - JSON.stringify({ ...found, columns: bare }).length
  if (room < 0)
    throw new ImportError(
      `The names of the ${found.layers.length.toLocaleString('en-US')} layers in the file are too long in all. Save the layer that you need as a file of its own.`,
    )
  const fitting = firstThatFit(found.columns, room).length
  return { ...found, columns: [...found.columns.slice(0, fitting), ...bare.slice(fitting)] }
}

/** The first items that have at most so many characters in all, as JSON. */
export function firstThatFit<Item>(items: readonly Item[], mostCharacters: number): Item[] {
  let room = mostCharacters
  const end = items.findIndex((item) => {
    room -= JSON.stringify(item).length
    return room < 0
  })
  return items.slice(0, end === -1 ? items.length : end)
}
