import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import type { Fields } from '#domain/definition/definition.ts'
import { type FeatureStatus, statusLabels } from '#domain/definition/kinds.ts'
import { type BulkDescription, describeBulkChange } from '#domain/features/bulk-change.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import {
  type Publication,
  publicationLabels,
  type SettingsPart,
  settingsPartLabels,
} from '#domain/reports/report-settings.ts'
import { counted, formatList, formatNumber } from '#domain/values/wording.ts'
import { cityOf } from '#web/ui/time-zone.ts'

type Activity = { named: string; details: Record<string, unknown> }

/** Predicate of a sentence whose subject is the actor. */
export function activityText({ action, subject, details }: ActivityItem): string {
  const named = text(details.name) ?? subject ?? 'something'
  if (!Object.hasOwn(texts, action)) return action.replace('.', ': ')
  const predicate = texts[action as ActivityAction]
  return typeof predicate === 'string' ? predicate : predicate({ named, details })
}

const texts: Record<ActivityAction, string | ((item: Activity) => string)> = {
  'sample.created': 'added the sample data',
  'features.imported': ({ details }) =>
    `imported ${text(details.source) ?? 'a file'}: ${totals(details, ['created', 'updated', 'removed', 'refused'])}`,
  'features.import-undone': ({ details }) =>
    `undid an import: ${totals(details, ['removed', 'restored', 'kept'])}`,
  'features.rebuilt': 'recalculated derived data',
  'configuration.applied': ({ details }) => `applied settings, version ${String(details.version)}`,
  'configuration.restored': ({ details }) =>
    `restored settings version ${String(details.restoredFrom)} as version ${String(details.version)}`,
  'configuration.removed': ({ details }) =>
    `reset the settings to defaults, version ${String(details.version)}`,
  'fields.changed': ({ details }) => `changed custom fields: ${listed(details.fields)}`,
  'incident.resolved': ({ named }) => `resolved ‘${named}’`,
  'incident.reopened': ({ named }) => `reopened ‘${named}’`,
  'asset.status-changed': ({ named, details }) =>
    `changed ‘${named}’ from ${statusName(details.before)} to ${statusName(details.after)}`,
  'feature.added': ({ details }) => `added ${aFeature(details)}`,
  'feature.changed': ({ named, details }) =>
    details.undoes === undefined
      ? `changed ${changedFields(details)} of ‘${named}’`
      : `undid a change to ‘${named}’`,
  'feature.removed': ({ details }) =>
    `${details.undoes === undefined ? 'removed' : 'undid adding'} ${aFeature(details)}`,
  'feature.put-back': ({ details }) => `restored ${aFeature(details)}`,
  'features.changed': ({ details }) => changedRecords(details),
  'features.bulk-changing': 'started a bulk change',
  'features.bulk-changed': ({ details }) => bulkChange(details),
  'file.added': ({ named, details }) => `added ${aFile(details)} to ‘${named}’`,
  'file.changed': ({ named, details }) => `edited ${aFile(details)} of ‘${named}’`,
  'file.published': ({ named, details }) => `made ${aFile(details)} of ‘${named}’ public`,
  'file.hidden': ({ named, details }) => `hid ${aFile(details)} of ‘${named}’ from the public`,
  'file.removed': ({ named, details }) => `removed ${aFile(details)} of ‘${named}’`,
  'file.put-back': ({ named, details }) => `restored ${aFile(details)} of ‘${named}’`,
  'maintenance.added': ({ named, details }) =>
    details.undoes === undefined
      ? `recorded maintenance of ‘${named}’`
      : `restored maintenance of ‘${named}’`,
  'maintenance.changed': ({ named }) => `edited maintenance of ‘${named}’`,
  'maintenance.removed': ({ named, details }) =>
    `${details.undoes === undefined ? 'removed' : 'undid adding'} maintenance of ‘${named}’`,
  // A report that waits has no name here.
  'incident.noted': ({ named, details }) =>
    `wrote or changed a note on ${text(details.name) === undefined ? 'a report' : `‘${named}’`}`,
  'incident.merged': ({ named }) => `merged a duplicate into ‘${named}’`,
  'incident.unmerged': ({ named }) => `separated a duplicate from ‘${named}’`,
  'work-link.added': ({ named }) => `created a work link for ${named}`,
  'work-link.revoked': ({ named }) => `revoked the work link for ${named}`,
  'report.received': ({ named }) => `reported ‘${named}’`,
  'report.changed': ({ named }) => `changed the report ‘${named}’`,
  'report.withdrawn': ({ named }) => `withdrew the report ‘${named}’`,
  'report.decided': ({ named, details }) => decisionOnReport(named, details),
  'report.published': ({ named }) => `published the report ‘${named}’ without a review`,
  'report.sender-blocked': ({ named }) => `blocked the sender of the report ‘${named}’`,
  'report.sender-unblocked': ({ named }) => `unblocked the sender of the report ‘${named}’`,
  'notice.sent': ({ details }) => `sent a notice to ${counted(counts(details), 'person', 'people')}`,
  'report-settings.changed': ({ details }) => `changed report settings: ${settingsChange(details)}`,
  'calendar.shared': 'created an address for the maintenance calendar',
  'calendar.switched-off': 'turned off the address of the maintenance calendar',
  'webhook.added': ({ details }) => `added a webhook to ${receiver(details)}`,
  'webhook.changed': ({ details }) => `changed the webhook to ${receiver(details)}`,
  'webhook.secret-changed': ({ details }) => `changed the secret of the webhook to ${receiver(details)}`,
  'webhook.removed': ({ details }) => `removed the webhook to ${receiver(details)}`,
  'webhook.stopped': ({ details }) =>
    `turned off the webhook to ${receiver(details)}: ${details.reason === 'gone' ? 'the receiver returned 410 Gone' : 'messages failed for a day'}`,
  'drawing.added': ({ details }) =>
    `drew ${counts(details) === 1 ? drawn(details) : counted(counts(details), 'shape')}`,
  'drawing.changed': ({ details }) => `edited ${drawn(details)}`,
  'drawing.deleted': ({ details }) => `deleted ${drawn(details)}`,
  'drawing.cleared': ({ details }) => `deleted all of their drawings: ${counted(counts(details), 'shape')}`,
  'client.added': 'added this client',
  'client.changed': ({ details }) => changeOfClient(details),
  'client.archived': 'archived this client',
  'client.restored': 'restored this client',
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
    if (key === 'geometry') return 'location or shape'
    return (fieldsOfKind[key]?.label ?? key).toLowerCase()
  })
  return formatList(names) || 'something'
}

type LandRecords = Record<'from' | 'into' | 'added', Record<string, unknown>> & { neighbors: number }

function changedRecords(details: Record<string, unknown>): string {
  if (details.undoes !== undefined) return `undid a change to ${records(details)}`
  const land = text(details.land)
  // Missing in older activities, and in changes of other fields.
  if (!details.records) return `${land ?? 'changed'} ${records(details)}`
  const { from, into, added, neighbors } = details.records as LandRecords
  return formatList([
    ...(counts(from) > 0 ? [`${land} ${records(from)} into ${records(into)}`] : []),
    ...(counts(added) > 0 ? [`added ${records(added)}`] : []),
    ...(neighbors > 0 ? [`changed ${counted(neighbors, 'neighbor')}`] : []),
  ])
}

function records(details: Record<string, unknown>): string {
  const names = Array.isArray(details.names) ? details.names.map((name) => `‘${name || 'Untitled'}’`) : []
  const others = counts(details) - names.length
  if (names.length > 0) return formatList(others > 0 ? [...names, counted(others, 'more record')] : names)
  return `${counted(counts(details), 'record')}: ${totals(details, ['added', 'changed', 'removed'])}`
}

const listed = (names: unknown) => (Array.isArray(names) && names.length > 0 ? formatList(names) : 'order')

function bulkChange(details: Record<string, unknown>): string {
  const { action, kinds, fields, status, total, state } = details
  const description = { action, kinds: kinds ?? {}, fields: fields ?? [], status } as BulkDescription
  const words = describeBulkChange(description, counts(details), true)
  const stopped = state === 'done' ? '' : `, then stopped (${formatNumber(Number(total))} in total)`
  return `${words}${stopped}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const totalLabels: Readonly<Record<string, string>> = { refused: 'skipped', kept: 'not undone' }

function totals(details: Record<string, unknown>, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const count = details[name]
    return typeof count === 'number' && count > 0
      ? [`${formatNumber(count)} ${totalLabels[name] ?? name}`]
      : []
  })
  return formatList(parts) || 'no changes'
}

const counts = ({ count }: Record<string, unknown>) => (typeof count === 'number' ? count : 0)

const aFile = ({ file }: Record<string, unknown>) => (file === 'pdf' ? 'a document' : 'a photo')

const decisions: Record<string, (named: string) => string> = {
  new: (named) => `undid the decision on the report ‘${named}’`,
  accepted: (named) => `accepted the report ‘${named}’`,
  rejected: (named) => `rejected the report ‘${named}’`,
  duplicate: (named) => `marked the report ‘${named}’ as a duplicate`,
  hidden: (named) => `hid the report ‘${named}’`,
}

const decisionOnReport = (named: string, { state }: Record<string, unknown>) =>
  decisions[String(state)]?.(named) ?? `decided on the report ‘${named}’`

function settingsChange({ parts, publication }: Record<string, unknown>): string {
  const labels = (Array.isArray(parts) ? parts : []).map((part: SettingsPart) => {
    const label = (settingsPartLabels[part] ?? part).toLowerCase()
    const chosen = part === 'publication' ? publicationLabels[publication as Publication] : undefined
    return chosen ? `${label} (${chosen.toLowerCase()})` : label
  })
  return formatList(labels) || 'nothing'
}

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
  if (from.timeZone !== to.timeZone)
    parts.push(`set its time zone to ${to.timeZone ? cityOf(String(to.timeZone)) : 'that of its location'}`)
  if (JSON.stringify(from.contact ?? null) !== JSON.stringify(to.contact ?? null))
    parts.push('changed its contact')
  return formatList(parts) || 'changed this client'
}
