import { useQueryClient } from '@tanstack/react-query'
import type { Field, Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import type { Editing } from './editing.ts'

/** Returns a function that reads the values which a new record takes over from another. */
export function useCopiedValues({ mapId, draft }: Pick<Editing, 'mapId' | 'draft'>) {
  const client = useQueryClient()
  return async (id: string): Promise<Record<string, unknown>> =>
    draft.added[id] ?? copiedValues(await client.ensureQueryData(featureDetailQuery(mapId, id)))
}

/** Amounts are those of the whole, and not copied. */
function copiedValues(detail: FeatureDetail): Record<string, unknown> {
  const { fields }: { fields: Fields } = definitions[detail.kind]
  const values = detail as unknown as Readonly<Record<string, unknown>>
  const copied = Object.entries(fields).flatMap(([key, field]) =>
    field.isNotCopied || field.followsFrom || isAmount(field) || key === 'name' || values[key] === undefined
      ? []
      : [[key, values[key]]],
  )
  return { ...Object.fromEntries(copied), metadata: detail.metadata }
}

const isAmount = ({ value }: Field): boolean =>
  value.type === 'count' ||
  value.type === 'number' ||
  (value.type === 'group' && Object.values(value.fields).some(isAmount))
