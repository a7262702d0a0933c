import type { Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'

/** The values that a new record takes over when a shape is divided. */
export function copiedValues(detail: FeatureDetail): Record<string, unknown> {
  const { fields }: { fields: Fields } = definitions[detail.kind]
  const values = detail as unknown as Readonly<Record<string, unknown>>
  const copied = Object.entries(fields).flatMap(([key, { isNotCopied, followsFrom }]) =>
    isNotCopied || followsFrom || key === 'name' || values[key] === undefined ? [] : [[key, values[key]]],
  )
  return { ...Object.fromEntries(copied), metadata: detail.metadata }
}
