import type { Field, Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'

/** The values that a new record takes over when a shape is divided. Amounts are those of the whole, and not copied. */
export function copiedValues(detail: FeatureDetail): Record<string, unknown> {
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
