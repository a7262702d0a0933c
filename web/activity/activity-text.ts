import type { ActivityAction } from '#domain/activity/activities.ts'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import type { Fields } from '#domain/definition/definition.ts'
import { type FeatureStatus, statusLabels } from '#domain/definition/kinds.ts'
import { type BulkDescription, describeBulkChange } from '#domain/features/bulk-change.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'

type Activity = { named: string; details: Record<string, unknown> }

/** Predicate of a sentence whose subject is the actor. */
export function activityText({ action, subject, details }: ActivityItem): string {
  const named = text(details.name) ?? subject ?? 'something'
  if (!Object.hasOwn(texts, action)) return action.replace('.', ': ')
  const predicate = texts[action as ActivityAction]
  return typeof predicate === 'string' ? predicate : predicate({ named, details })
}

const texts: Record<ActivityAction, string | ((item: Activity) => string)> = {
  'sample.created': 'put in the sample data',
  'features.imported': ({ details }) =>
    `imported ${text(details.source) ?? 'a file'}: ${counted(details, ['created', 'updated', 'removed', 'refused'])}`,
  'features.import-undone': ({ details }) =>
    `took back an import: ${counted(details, ['removed', 'restored', 'kept'])}`,
  'features.rebuilt': 'computed what follows from the features anew',
  'configuration.applied': ({ details }) => `applied settings, version ${String(details.version)}`,
  'configuration.restored': ({ details }) =>
    `restored the settings of version ${String(details.restoredFrom)}, now version ${String(details.version)}`,
  'configuration.removed': ({ details }) =>
    `took the applied settings away, version ${String(details.version)}: nothing is applied`,
  'fields.changed': ({ details }) => `changed the client’s own fields: ${listed(details.fields)}`,
  'incident.resolved': ({ named }) => `resolved ‘${named}’`,
  'incident.reopened': ({ named }) => `reopened ‘${named}’`,
  'asset.status-changed': ({ named, details }) =>
    `set ‘${named}’ from ${statusName(details.before)} to ${statusName(details.after)}`,
  'feature.added': ({ details }) => `added ${aFeature(details)}`,
  'feature.changed': ({ named, details }) =>
    details.undoes === undefined
      ? `changed ${changedFields(details)} of ‘${named}’`
      : `took back a change of ‘${named}’`,
  'feature.removed': ({ details }) =>
    `${details.undoes === undefined ? 'removed' : 'took back'} ${aFeature(details)}`,
  'feature.put-back': ({ details }) => `put back ${aFeature(details)}`,
  'features.changed': ({ details }) =>
    `${details.undoes === undefined ? 'changed' : 'took back a change of'} ${records(details)}`,
  'features.bulk-changing': 'changed some of many records',
  'features.bulk-changed': ({ details }) => bulkChange(details),
  'file.added': ({ named, details }) => `added ${aFile(details)} to ‘${named}’`,
  'file.changed': ({ named, details }) => `changed the caption or place of ${aFile(details)} of ‘${named}’`,
  'file.published': ({ named, details }) => `made ${aFile(details)} of ‘${named}’ public`,
  'file.hidden': ({ named, details }) => `took ${aFile(details)} of ‘${named}’ out of public sight`,
  'file.removed': ({ named, details }) => `removed ${aFile(details)} of ‘${named}’`,
  'file.put-back': ({ named, details }) => `put back ${aFile(details)} of ‘${named}’`,
  'maintenance.added': ({ named, details }) =>
    details.undoes === undefined
      ? `wrote down maintenance of ‘${named}’`
      : `put maintenance of ‘${named}’ back`,
  'maintenance.changed': ({ named }) => `corrected maintenance of ‘${named}’`,
  'maintenance.removed': ({ named, details }) =>
    `${details.undoes === undefined ? 'removed' : 'took back'} an entry of the maintenance of ‘${named}’`,
  'calendar.shared': 'made a new address for the maintenance calendar',
  'calendar.switched-off': 'switched the address of the maintenance calendar off',
  'webhook.added': ({ details }) => `added a webhook to ${receiver(details)}`,
  'webhook.changed': ({ details }) => `changed the webhook to ${receiver(details)}`,
  'webhook.secret-changed': ({ details }) => `made a new secret for the webhook to ${receiver(details)}`,
  'webhook.removed': ({ details }) => `removed the webhook to ${receiver(details)}`,
  'webhook.stopped': ({ details }) =>
    `switched the webhook to ${receiver(details)} off: ${details.reason === 'gone' ? 'it answered that it is gone' : 'messages to it failed for a day'}`,
  'drawing.added': ({ details }) => `drew ${counts(details) === 1 ? drawn(details) : shapes(details)}`,
  'drawing.changed': ({ details }) => `changed the drawing of ${drawn(details)}`,
  'drawing.deleted': ({ details }) => `deleted the drawing of ${drawn(details)}`,
  'drawing.cleared': ({ details }) => `deleted all of their own drawings: ${shapes(details)}`,
  'client.added': 'added this client',
  'client.changed': ({ details }) => changeOfClient(details),
  'client.archived': 'archived this client',
  'client.restored': 'brought this client back from the archive',
  'database.restored': 'restored a backup',
}

const receiver = ({ host }: Record<string, unknown>) => text(host) ?? 'a receiver'

function aFeature({ kind, name }: Record<string, unknown>): string {
  const noun = definitions[kind as DefinedKind]?.label.one.toLowerCase() ?? 'item'
  const given = text(name)
  return given === undefined ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : `the ${noun} ‘${given}’`
}

function changedFields({ kind, fields }: Record<string, unknown>): string {
  const fieldsOfKind: Fields = definitions[kind as DefinedKind]?.fields ?? {}
  const names = (Array.isArray(fields) ? fields : []).map((key: string) => {
    if (key === 'geometry') return 'place or shape'
    return (fieldsOfKind[key]?.label ?? key).toLowerCase()
  })
  const last = names.pop()
  if (last === undefined) return 'something'
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

function records(details: Record<string, unknown>): string {
  const count = counts(details)
  const noun = count === 1 ? 'record' : 'records'
  return `${count.toLocaleString()} ${noun}: ${counted(details, ['added', 'changed', 'removed'])}`
}

const listed = (names: unknown) =>
  Array.isArray(names) && names.length > 0 ? names.join(', ') : 'their order'

function bulkChange(details: Record<string, unknown>): string {
  const { action, kinds, fields, status, total, state } = details
  const description = { action, kinds: kinds ?? {}, fields: fields ?? [], status } as BulkDescription
  const words = describeBulkChange(description, counts(details), true)
  const stopped = state === 'done' ? '' : `, then stopped: of ${Number(total).toLocaleString()}`
  return `${words}${stopped}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function counted(details: Record<string, unknown>, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const count = details[name]
    return typeof count === 'number' && count > 0 ? [`${count.toLocaleString()} ${name}`] : []
  })
  return parts.length > 0 ? parts.join(', ') : 'nothing changed'
}

const counts = ({ count }: Record<string, unknown>) => (typeof count === 'number' ? count : 0)

function shapes(details: Record<string, unknown>): string {
  const count = counts(details)
  return `${count.toLocaleString()} ${count === 1 ? 'shape' : 'shapes'}`
}

const aFile = ({ file }: Record<string, unknown>) => (file === 'pdf' ? 'a document' : 'a photo')

function drawn({ kind, name }: Record<string, unknown>): string {
  const noun = kind === 'circlemarker' ? 'circle marker' : (text(kind) ?? 'shape')
  const given = text(name)
  return given === undefined ? `a ${noun}` : `the ${noun} ‘${given}’`
}

function statusName(status: unknown): string {
  return (statusLabels[status as FeatureStatus] ?? 'unknown').toLowerCase()
}

function changeOfClient({ before, after }: Record<string, unknown>): string {
  const from = (before ?? {}) as Record<string, unknown>
  const to = (after ?? {}) as Record<string, unknown>
  const parts = []
  if (from.name !== to.name) parts.push(`renamed this client from ‘${from.name}’ to ‘${to.name}’`)
  if (from.location !== to.location) parts.push(`changed its location to ‘${to.location}’`)
  return parts.join(' and ') || 'changed this client'
}
