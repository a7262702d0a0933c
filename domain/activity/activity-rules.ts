import type { WebhookEvent } from '#domain/webhooks/webhook-event.ts'

// Effects of each activity on the activity list, event stream, cached tiles, webhooks and page. No schema library:
// the page needs it.

export type Audience = 'public' | 'staff' | 'manager'

export type ChangedPart =
  | 'status'
  | 'maintenance'
  | 'feature'
  | 'features'
  | 'imports'
  | 'files'
  | 'calendar'
  | 'configuration'
  | 'fields'
  | 'notes'
  | 'reports'
  | 'report-settings'
  | 'webhooks'
  | 'drawings'
  | 'client'
  | 'everything'

export type SubjectType =
  | 'feature'
  | 'import'
  | 'drawing'
  | 'webhook'
  | 'client'
  | 'configuration'
  | 'report'
  | 'none'

export type ActivityRule = {
  /** 'as-marked': public if `details.isPublic` is true, otherwise for staff. */
  audience: Audience | 'as-marked'
  affectsTiles: boolean
  part: ChangedPart
  event: WebhookEvent | null
  subject: SubjectType
  isUnlisted?: true
  isGone?: true
}

const parts: Record<ChangedPart, Omit<ActivityRule, 'part'>> = {
  status: { audience: 'public', affectsTiles: true, event: 'feature.changed', subject: 'feature' },
  maintenance: { audience: 'public', affectsTiles: false, event: 'feature.changed', subject: 'feature' },
  feature: { audience: 'public', affectsTiles: true, event: 'feature.changed', subject: 'feature' },
  features: { audience: 'public', affectsTiles: true, event: 'features.changed', subject: 'none' },
  imports: { audience: 'public', affectsTiles: true, event: 'import.done', subject: 'import' },
  files: { audience: 'as-marked', affectsTiles: false, event: 'files.changed', subject: 'feature' },
  calendar: { audience: 'manager', affectsTiles: false, event: 'configuration.changed', subject: 'none' },
  configuration: {
    audience: 'public',
    affectsTiles: false,
    event: 'configuration.changed',
    subject: 'configuration',
  },
  fields: { audience: 'as-marked', affectsTiles: false, event: 'configuration.changed', subject: 'none' },
  notes: { audience: 'as-marked', affectsTiles: false, event: 'notes.changed', subject: 'feature' },
  reports: { audience: 'staff', affectsTiles: false, event: 'reports.changed', subject: 'report' },
  'report-settings': {
    audience: 'as-marked',
    affectsTiles: false,
    event: 'configuration.changed',
    subject: 'none',
  },
  webhooks: { audience: 'manager', affectsTiles: false, event: null, subject: 'webhook' },
  drawings: { audience: 'staff', affectsTiles: false, event: 'drawings.changed', subject: 'drawing' },
  client: { audience: 'staff', affectsTiles: false, event: 'map.changed', subject: 'client' },
  everything: { audience: 'public', affectsTiles: true, event: 'map.changed', subject: 'none' },
}

type Activity = { part: ChangedPart } & Partial<ActivityRule>

const table = {
  'sample.created': { part: 'everything', isUnlisted: true },
  'features.imported': { part: 'imports' },
  'features.import-undone': { part: 'imports', event: 'import.undone' },
  'features.rebuilt': { part: 'features' },
  'configuration.applied': { part: 'configuration' },
  'configuration.restored': { part: 'configuration' },
  'configuration.removed': { part: 'configuration' },
  'fields.changed': { part: 'fields' },
  'incident.resolved': { part: 'status' },
  'incident.reopened': { part: 'status' },
  'asset.status-changed': { part: 'status' },
  'feature.added': { part: 'features', event: 'feature.added', subject: 'feature' },
  'feature.changed': { part: 'feature' },
  'feature.removed': { part: 'features', event: 'feature.removed', subject: 'feature', isGone: true },
  'feature.put-back': { part: 'features', event: 'feature.added', subject: 'feature' },
  'features.changed': { part: 'features' },
  'features.bulk-changing': { part: 'features', event: null, isUnlisted: true },
  'features.bulk-changed': { part: 'features' },
  'file.added': { part: 'files', audience: 'staff' },
  'file.changed': { part: 'files' },
  'file.published': { part: 'files', audience: 'public' },
  'file.hidden': { part: 'files', audience: 'public' },
  'file.removed': { part: 'files' },
  'file.put-back': { part: 'files' },
  'maintenance.added': { part: 'maintenance' },
  'maintenance.changed': { part: 'maintenance' },
  'maintenance.removed': { part: 'maintenance' },
  'incident.noted': { part: 'notes' },
  'incident.merged': { part: 'notes' },
  'incident.unmerged': { part: 'notes' },
  'work-link.added': { part: 'notes', audience: 'staff' },
  'work-link.revoked': { part: 'notes', audience: 'staff' },
  'report.received': { part: 'reports' },
  'report.changed': { part: 'reports' },
  'report.withdrawn': { part: 'reports' },
  'report.decided': { part: 'reports' },
  'report.published': { part: 'reports' },
  'report.sender-blocked': { part: 'reports' },
  'report.sender-unblocked': { part: 'reports' },
  'notice.sent': { part: 'reports', event: null, subject: 'none' },
  'report-settings.changed': { part: 'report-settings' },
  'calendar.shared': { part: 'calendar' },
  'calendar.switched-off': { part: 'calendar' },
  'webhook.added': { part: 'webhooks' },
  'webhook.changed': { part: 'webhooks' },
  'webhook.secret-changed': { part: 'webhooks' },
  'webhook.removed': { part: 'webhooks', isGone: true },
  'webhook.stopped': { part: 'webhooks' },
  'drawing.added': { part: 'drawings' },
  'drawing.changed': { part: 'drawings' },
  'drawing.deleted': { part: 'drawings', isGone: true },
  'drawing.cleared': { part: 'drawings' },
  'client.added': { part: 'client' },
  'client.changed': { part: 'client' },
  'client.archived': { part: 'everything', subject: 'client' },
  'client.restored': { part: 'everything', audience: 'staff', subject: 'client' },
  'database.restored': { part: 'everything', event: null },
} as const satisfies Record<string, Activity>

export type ActivityAction = keyof typeof table

export const activityActions = Object.keys(table) as ActivityAction[]

/** An activity written by a newer version of the program: private, and anything may have changed. */
const unknownActivity: Activity = { part: 'everything', audience: 'manager', event: null }

export function activityRule(action: string): ActivityRule {
  const activity: Activity = Object.hasOwn(table, action) ? table[action as ActivityAction] : unknownActivity
  return { ...parts[activity.part], ...activity }
}

export function activityAudience(action: string, details: Readonly<Record<string, unknown>>): Audience {
  const { audience } = activityRule(action)
  if (audience !== 'as-marked') return audience
  return details.isPublic === true ? 'public' : 'staff'
}

/** Ids of other subjects are not sent to visitors. */
export const isPublicSubject = (subject: SubjectType) => subject === 'feature' || subject === 'client'

export const actionsWith = (isWanted: (rule: ActivityRule) => boolean): ActivityAction[] =>
  activityActions.filter((action) => isWanted(activityRule(action)))
