import { counted, formatList } from '#domain/values/wording.ts'
import type { Fields } from '../definition/definition.ts'
import { type FeatureStatus, statusLabels } from '../definition/kinds.ts'
import { type DefinedKind, definitions } from './definitions.ts'

// Bulk changes: limits and texts. No schema library: every staff page needs it.

export const maxSelected = 10_000

export const maxAreaCorners = 2_000

/** Degrees: a map may show several worlds side by side. */
export const maxAreaLng = 720

export const maxBulk = 100_000

export const bulkBatchSize = 500

export const bulkActions = ['change', 'remove', 'undo'] as const
export type BulkAction = (typeof bulkActions)[number]

/** `cancelled` and `failed` keep the changes made before that. */
export const bulkStates = ['running', 'done', 'cancelled', 'failed'] as const
export type BulkState = (typeof bulkStates)[number]

export type KindCounts = { [Kind in DefinedKind]?: number }

export type BulkDescription = {
  action: BulkAction
  kinds: KindCounts
  fields: readonly string[]
  status?: FeatureStatus | undefined
}

export function countOfKinds(kinds: KindCounts, count: number): string {
  const [kind, ...others] = Object.keys(kinds) as DefinedKind[]
  const label = kind && others.length === 0 ? definitions[kind].label : { one: 'Record', many: 'Records' }
  return counted(count, label.one.toLowerCase(), label.many.toLowerCase())
}

/** 'Set 37 assets to maintenance'; if done: 'set 37 assets to maintenance'. */
export function describeBulkChange(
  { action, kinds, fields, status }: BulkDescription,
  count: number,
  isDone = false,
): string {
  const features = countOfKinds(kinds, count)
  const say = (ask: string, done: string, rest: string) => `${isDone ? done : ask} ${rest}`
  if (action === 'remove') return say('Remove', 'removed', features)
  if (action === 'undo') return say('Undo changes to', 'undid changes to', features)
  if (status === 'resolved') return say('Resolve', 'resolved', features)
  if (status === 'unresolved') return say('Reopen', 'reopened', features)
  if (status !== undefined) return say('Set', 'set', `${features} to ${statusLabels[status].toLowerCase()}`)
  return say('Change', 'changed', `${fieldNames(kinds, fields)} of ${features}`)
}

function fieldNames(kinds: KindCounts, keys: readonly string[]): string {
  const [kind] = Object.keys(kinds) as DefinedKind[]
  const fields: Fields = kind ? definitions[kind].fields : {}
  const names = keys.map((key) => (fields[key]?.label ?? key).toLowerCase())
  return formatList(names.length === 0 ? ['nothing'] : names)
}
