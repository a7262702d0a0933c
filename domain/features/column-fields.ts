import { type Field, type Fields, singleFields } from '../definition/definition.ts'
import { type DefinedKind, definitions } from './definitions.ts'

// The fields that can be columns of the table of features, by their path: 'owner', 'zoning.type'. Whatever else a map
// has in its table, such as fields of its own, joins here.

/** So many may be asked for at once. */
export const maxColumnFields = 20

/** Follows from the maintenance, and so stands in no definition. */
const nextDue: Field = {
  label: 'Next due',
  value: { type: 'day' },
  isForStaff: true,
  followsFrom: 'its maintenance',
}

/** The fields of a kind that hold one value each. */
export function columnFieldsOf(kind: DefinedKind): [path: string, field: Field][] {
  const { fields }: { fields: Fields } = definitions[kind]
  const own = singleFields(fields)
  return kind === 'asset' ? [...own, ['nextDue', nextDue]] : own
}

const known = new Map(
  (Object.keys(definitions) as DefinedKind[]).map((kind) => [kind, new Map(columnFieldsOf(kind))]),
)

/** Undefined where the kind has no such field. */
export const columnFieldAt = (kind: DefinedKind, path: string): Field | undefined =>
  known.get(kind)?.get(path)

/** Those of all kinds, each once, as the first kind that has it calls it. */
export function allColumnFields(): ReadonlyMap<string, Field> {
  const all = new Map<string, Field>()
  for (const fields of known.values())
    for (const [path, field] of fields) if (!all.has(path)) all.set(path, field)
  return all
}
