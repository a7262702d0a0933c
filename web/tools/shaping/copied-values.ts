import { useQueryClient } from '@tanstack/react-query'
import type { Field, Fields } from '#domain/definition/definition.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { mergeChange } from '#domain/features/merge-change.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { takenValues } from '#web/workspace/shaping.ts'
import type { Editing } from './editing.ts'

/** Returns a function that reads the values which a new record takes over from another. */
export function useCopiedValues({ mapId, draft }: Pick<Editing, 'mapId' | 'draft'>) {
  const client = useQueryClient()
  return async (id: string): Promise<Record<string, unknown>> => {
    const values = draft.added[id] ?? (await client.ensureQueryData(featureDetailQuery(mapId, id)))
    return copiedValues(draft.kind, mergeChange(values, takenValues(draft, id)))
  }
}

/** Amounts are those of the whole, and not copied. */
function copiedValues(kind: DefinedKind, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { fields }: { fields: Fields } = definitions[kind]
  const copied = Object.entries(fields).flatMap(([key, field]) =>
    field.isNotCopied || field.followsFrom || isAmount(field) || key === 'name' || values[key] === undefined
      ? []
      : [[key, values[key]]],
  )
  return { ...Object.fromEntries(copied), metadata: values.metadata }
}

const isAmount = ({ value }: Field): boolean =>
  value.type === 'count' ||
  value.type === 'number' ||
  (value.type === 'group' && Object.values(value.fields).some(isAmount))
