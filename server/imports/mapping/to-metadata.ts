import type { Metadata } from '#domain/features/common.schema.ts'
import { quoteValue } from '../quote-value.ts'
import { Refusal } from '../refusal.ts'

/** Columns as they are; lists and objects as JSON text. */
export function toMetadata(columns: readonly (readonly [string, unknown])[]): Metadata {
  return columns.map(([name, value]) => ({ name, value: toMetadataValue(name, value) }))
}

function toMetadataValue(name: string, value: unknown): Metadata[number]['value'] {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new Refusal(`${quoteValue(name)} is a number too large to keep`)
  }
  try {
    return JSON.stringify(value)
  } catch {
    throw new Refusal(`${quoteValue(name)} is nested too deeply to keep`)
  }
}
