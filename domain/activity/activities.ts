import type { WebhookEvent } from '#domain/webhooks/webhook-event.ts'

// Every activity of a map and what follows from it: the activity list, the event stream, cached tiles, webhooks and the
// page derive their behavior from this table. An activity without an entry does not compile. No schema library: the page
// needs it.

/** The access rule for hearing of an activity. */
export type Audience = 'public' | 'staff' | 'manager'

/**
 * The part of a map that an activity changes: one feature's status, maintenance or files, any features, an import with
 * its features, and so on.
 */
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
  | 'webhooks'
  | 'drawings'
  | 'client'
  | 'everything'

/** The record that `subject` identifies and whose current version the event stream sends. */
export type SubjectType = 'feature' | 'import' | 'drawing' | 'webhook' | 'client' | 'configuration' | 'none'

export type ActivityRule = {
  /** 'as-marked': public if `details.isPublic` of the activity is true, otherwise for staff. */
  audience: Audience | 'as-marked'
  /** Whether any tile of the map is different afterwards. */
  affectsTiles: boolean
  part: ChangedPart
  /** The webhook event that reports it; null if none does. */
  event: WebhookEvent | null
  subject: SubjectType
  /** One step of something that is listed when it is finished. */
  isUnlisted?: true
}

export const activities = {
  'sample.created': {
    audience: 'public',
    affectsTiles: true,
    part: 'everything',
    event: 'map.changed',
    subject: 'none',
  },
  'features.imported': {
    audience: 'public',
    affectsTiles: true,
    part: 'imports',
    event: 'import.done',
    subject: 'import',
  },
  'features.import-undone': {
    audience: 'public',
    affectsTiles: true,
    part: 'imports',
    event: 'import.undone',
    subject: 'import',
  },
  'features.rebuilt': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'features.changed',
    subject: 'none',
  },
  'configuration.applied': {
    audience: 'public',
    affectsTiles: false,
    part: 'configuration',
    event: 'configuration.changed',
    subject: 'configuration',
  },
  'configuration.restored': {
    audience: 'public',
    affectsTiles: false,
    part: 'configuration',
    event: 'configuration.changed',
    subject: 'configuration',
  },
  'configuration.removed': {
    audience: 'public',
    affectsTiles: false,
    part: 'configuration',
    event: 'configuration.changed',
    subject: 'configuration',
  },
  'fields.changed': {
    audience: 'as-marked',
    affectsTiles: false,
    part: 'fields',
    event: 'configuration.changed',
    subject: 'none',
  },
  'incident.resolved': {
    audience: 'public',
    affectsTiles: true,
    part: 'status',
    event: 'feature.changed',
    subject: 'feature',
  },
  'incident.reopened': {
    audience: 'public',
    affectsTiles: true,
    part: 'status',
    event: 'feature.changed',
    subject: 'feature',
  },
  'asset.status-changed': {
    audience: 'public',
    affectsTiles: true,
    part: 'status',
    event: 'feature.changed',
    subject: 'feature',
  },
  'feature.added': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'feature.added',
    subject: 'feature',
  },
  'feature.changed': {
    audience: 'public',
    affectsTiles: true,
    part: 'feature',
    event: 'feature.changed',
    subject: 'feature',
  },
  'feature.removed': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'feature.removed',
    subject: 'feature',
  },
  'feature.put-back': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'feature.added',
    subject: 'feature',
  },
  'features.changed': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'features.changed',
    subject: 'none',
  },
  'features.bulk-changing': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: null,
    subject: 'none',
    isUnlisted: true,
  },
  'features.bulk-changed': {
    audience: 'public',
    affectsTiles: true,
    part: 'features',
    event: 'features.changed',
    subject: 'none',
  },
  'file.added': {
    audience: 'staff',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'file.changed': {
    audience: 'as-marked',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'file.published': {
    audience: 'public',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'file.hidden': {
    audience: 'public',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'file.removed': {
    audience: 'as-marked',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'file.put-back': {
    audience: 'as-marked',
    affectsTiles: false,
    part: 'files',
    event: 'files.changed',
    subject: 'feature',
  },
  'maintenance.added': {
    audience: 'public',
    affectsTiles: false,
    part: 'maintenance',
    event: 'feature.changed',
    subject: 'feature',
  },
  'maintenance.changed': {
    audience: 'public',
    affectsTiles: false,
    part: 'maintenance',
    event: 'feature.changed',
    subject: 'feature',
  },
  'maintenance.removed': {
    audience: 'public',
    affectsTiles: false,
    part: 'maintenance',
    event: 'feature.changed',
    subject: 'feature',
  },
  'calendar.shared': {
    audience: 'manager',
    affectsTiles: false,
    part: 'calendar',
    event: 'configuration.changed',
    subject: 'none',
  },
  'calendar.switched-off': {
    audience: 'manager',
    affectsTiles: false,
    part: 'calendar',
    event: 'configuration.changed',
    subject: 'none',
  },
  'webhook.added': {
    audience: 'manager',
    affectsTiles: false,
    part: 'webhooks',
    event: null,
    subject: 'webhook',
  },
  'webhook.changed': {
    audience: 'manager',
    affectsTiles: false,
    part: 'webhooks',
    event: null,
    subject: 'webhook',
  },
  'webhook.secret-changed': {
    audience: 'manager',
    affectsTiles: false,
    part: 'webhooks',
    event: null,
    subject: 'webhook',
  },
  'webhook.removed': {
    audience: 'manager',
    affectsTiles: false,
    part: 'webhooks',
    event: null,
    subject: 'webhook',
  },
  'webhook.stopped': {
    audience: 'manager',
    affectsTiles: false,
    part: 'webhooks',
    event: null,
    subject: 'webhook',
  },
  'drawing.added': {
    audience: 'staff',
    affectsTiles: false,
    part: 'drawings',
    event: 'drawings.changed',
    subject: 'drawing',
  },
  'drawing.changed': {
    audience: 'staff',
    affectsTiles: false,
    part: 'drawings',
    event: 'drawings.changed',
    subject: 'drawing',
  },
  'drawing.deleted': {
    audience: 'staff',
    affectsTiles: false,
    part: 'drawings',
    event: 'drawings.changed',
    subject: 'drawing',
  },
  'drawing.cleared': {
    audience: 'staff',
    affectsTiles: false,
    part: 'drawings',
    event: 'drawings.changed',
    subject: 'drawing',
  },
  'client.added': {
    audience: 'staff',
    affectsTiles: false,
    part: 'client',
    event: 'map.changed',
    subject: 'client',
  },
  'client.changed': {
    audience: 'staff',
    affectsTiles: false,
    part: 'client',
    event: 'map.changed',
    subject: 'client',
  },
  'client.archived': {
    audience: 'public',
    affectsTiles: true,
    part: 'everything',
    event: 'map.changed',
    subject: 'client',
  },
  'client.restored': {
    audience: 'staff',
    affectsTiles: true,
    part: 'everything',
    event: 'map.changed',
    subject: 'client',
  },
  'database.restored': {
    audience: 'public',
    affectsTiles: true,
    part: 'everything',
    event: null,
    subject: 'none',
  },
} as const satisfies Record<string, ActivityRule>
export type ActivityAction = keyof typeof activities

export const activityActions = Object.keys(activities) as ActivityAction[]

/** An activity written by a newer version of the program: private, and anything may have changed. */
const unknownActivity: ActivityRule = {
  audience: 'manager',
  affectsTiles: true,
  part: 'everything',
  event: null,
  subject: 'none',
}

export const activityRule = (action: string): ActivityRule =>
  Object.hasOwn(activities, action) ? activities[action as ActivityAction] : unknownActivity

export function activityAudience(action: string, details: Readonly<Record<string, unknown>>): Audience {
  const { audience } = activityRule(action)
  if (audience !== 'as-marked') return audience
  return details.isPublic === true ? 'public' : 'staff'
}

/** Whether visitors can request the subject: the ids of other subjects are not sent to them. */
export const isPublicSubject = (subject: SubjectType) => subject === 'feature' || subject === 'client'

export const actionsWith = (isWanted: (rule: ActivityRule) => boolean): ActivityAction[] =>
  activityActions.filter((action) => isWanted(activities[action]))
