import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import type { Fields } from '#domain/definition/definition.ts'
import { type FeatureStatus, statusLabels } from '#domain/definition/kinds.ts'
import { type BulkDeed, sayBulkDeed } from '#domain/features/bulk-change.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'

/** What happened, as the rest of a sentence that begins with who did it. */
export function activityText({ action, subject, details }: ActivityItem): string {
  const named = text(details.name) ?? subject ?? 'something'
  switch (action) {
    case 'sample.created':
      return 'put in the sample data'
    case 'features.imported':
      return `imported ${text(details.source) ?? 'a file'}: ${counted(details, ['created', 'updated', 'removed', 'refused'])}`
    case 'features.import-undone':
      return `took back an import: ${counted(details, ['removed', 'restored', 'kept'])}`
    case 'configuration.applied':
      return `applied settings, version ${String(details.version)}`
    case 'configuration.restored':
      return `restored the settings of version ${String(details.restoredFrom)}, now version ${String(details.version)}`
    case 'configuration.removed':
      return `took the applied settings away, version ${String(details.version)}: nothing is applied`
    case 'fields.changed':
      return `changed the client’s own fields: ${listed(details.fields)}`
    case 'incident.resolved':
      return `resolved ‘${named}’`
    case 'incident.reopened':
      return `reopened ‘${named}’`
    case 'asset.status-changed':
      return `set ‘${named}’ from ${statusName(details.before)} to ${statusName(details.after)}`
    case 'feature.added':
      return `added ${aFeature(details)}`
    case 'feature.changed':
      if (details.undoes !== undefined) return `took back a change of ‘${named}’`
      return `changed ${changedFields(details)} of ‘${named}’`
    case 'feature.removed':
      return `${details.undoes === undefined ? 'removed' : 'took back'} ${aFeature(details)}`
    case 'feature.put-back':
      return `put back ${aFeature(details)}`
    case 'features.changed':
      return `${details.undoes === undefined ? 'changed' : 'took back a change of'} ${records(details)}`
    case 'file.added':
      return `added ${aFile(details)} to ‘${named}’`
    case 'file.changed':
      return `changed the caption or place of ${aFile(details)} of ‘${named}’`
    case 'file.published':
      return `made ${aFile(details)} of ‘${named}’ public`
    case 'file.hidden':
      return `took ${aFile(details)} of ‘${named}’ out of public sight`
    case 'file.removed':
      return `removed ${aFile(details)} of ‘${named}’`
    case 'file.put-back':
      return `put back ${aFile(details)} of ‘${named}’`
    case 'maintenance.added':
      if (details.undoes !== undefined) return `put maintenance of ‘${named}’ back`
      return `wrote down maintenance of ‘${named}’`
    case 'maintenance.changed':
      return `corrected maintenance of ‘${named}’`
    case 'maintenance.removed':
      return `${details.undoes === undefined ? 'removed' : 'took back'} an entry of the maintenance of ‘${named}’`
    case 'calendar.shared':
      return 'made a new address for the maintenance calendar'
    case 'calendar.switched-off':
      return 'switched the address of the maintenance calendar off'
    case 'webhook.added':
      return `added a webhook to ${text(details.host) ?? 'a receiver'}`
    case 'webhook.changed':
      return `changed the webhook to ${text(details.host) ?? 'a receiver'}`
    case 'webhook.secret-changed':
      return `made a new secret for the webhook to ${text(details.host) ?? 'a receiver'}`
    case 'webhook.removed':
      return `removed the webhook to ${text(details.host) ?? 'a receiver'}`
    case 'webhook.stopped':
      return `switched the webhook to ${text(details.host) ?? 'a receiver'} off: ${details.reason === 'gone' ? 'it answered that it is gone' : 'messages to it failed for a day'}`
    case 'features.bulk-changed':
      return bulkChange(details)
    case 'drawing.added':
      return counts(details) === 1 ? `drew ${drawn(details)}` : `drew ${shapes(details)}`
    case 'drawing.changed':
      return `changed the drawing of ${drawn(details)}`
    case 'drawing.deleted':
      return `deleted the drawing of ${drawn(details)}`
    case 'drawing.cleared':
      return `deleted all of their own drawings: ${shapes(details)}`
    case 'client.added':
      return 'added this client'
    case 'client.changed':
      return changeOfClient(details)
    case 'client.archived':
      return 'archived this client'
    case 'client.restored':
      return 'brought this client back from the archive'
    case 'features.rebuilt':
      return 'computed what follows from the features anew'
    case 'database.restored':
      return 'restored a backup'
    // A newer server may know actions that this page does not.
    default:
      return action.replace('.', ': ')
  }
}

function aFeature({ kind, name }: Record<string, unknown>): string {
  const noun = definitions[kind as DefinedKind]?.label.one.toLowerCase() ?? 'item'
  const given = text(name)
  return given === undefined ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : `the ${noun} ‘${given}’`
}

/** 'owner and area'; what was in them is told in the feature's own history. */
function changedFields({ kind, fields }: Record<string, unknown>): string {
  const known: Fields = definitions[kind as DefinedKind]?.fields ?? {}
  const names = (Array.isArray(fields) ? fields : []).map((key: string) => {
    if (key === 'geometry') return 'place or shape'
    return (known[key]?.label ?? key).toLowerCase()
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

/** 'set 37 assets to maintenance', and what did not come of it. */
function bulkChange(details: Record<string, unknown>): string {
  const { action, kinds, fields, status, total, state } = details
  const deed = { action, kinds: kinds ?? {}, fields: fields ?? [], status } as BulkDeed
  const said = sayBulkDeed(deed, counts(details), true)
  const stopped = state === 'done' ? '' : `, then stopped: of ${Number(total).toLocaleString()}`
  return `${said}${stopped}`
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

/** 'a rectangle', or 'the rectangle ‘New fence’'. */
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
