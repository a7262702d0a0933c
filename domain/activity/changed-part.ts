import type { ActivityAction } from './activity.schema.ts'

/**
 * The part of a map that an activity changes: the status of one feature, its maintenance, anything of one, any features,
 * the files of one, the configuration, the client's own fields, the
 * drawings, the calendar, the webhooks, the client's name, or everything.
 */
export type ChangedPart =
  | 'status'
  | 'maintenance'
  | 'feature'
  | 'features'
  | 'files'
  | 'calendar'
  | 'configuration'
  | 'fields'
  | 'webhooks'
  | 'drawings'
  | 'client'
  | 'everything'

const changedParts: Record<ActivityAction, ChangedPart> = {
  'sample.created': 'everything',
  'features.imported': 'features',
  'features.import-undone': 'features',
  'features.rebuilt': 'features',
  'configuration.applied': 'configuration',
  'configuration.restored': 'configuration',
  'configuration.removed': 'configuration',
  'fields.changed': 'fields',
  'incident.resolved': 'status',
  'incident.reopened': 'status',
  'asset.status-changed': 'status',
  'feature.added': 'features',
  'feature.changed': 'feature',
  'feature.removed': 'features',
  'feature.put-back': 'features',
  'features.changed': 'features',
  'features.bulk-changing': 'features',
  'features.bulk-changed': 'features',
  'file.added': 'files',
  'file.changed': 'files',
  'file.published': 'files',
  'file.hidden': 'files',
  'file.removed': 'files',
  'file.put-back': 'files',
  'maintenance.added': 'maintenance',
  'maintenance.changed': 'maintenance',
  'maintenance.removed': 'maintenance',
  'calendar.shared': 'calendar',
  'calendar.switched-off': 'calendar',
  'webhook.added': 'webhooks',
  'webhook.changed': 'webhooks',
  'webhook.secret-changed': 'webhooks',
  'webhook.removed': 'webhooks',
  'webhook.stopped': 'webhooks',
  'drawing.added': 'drawings',
  'drawing.changed': 'drawings',
  'drawing.deleted': 'drawings',
  'drawing.cleared': 'drawings',
  'client.added': 'client',
  'client.changed': 'client',
  'client.archived': 'everything',
  'client.restored': 'everything',
  'database.restored': 'everything',
}

/** An action that a page does not know, since the server is newer, may change everything. */
export function changedPart(action: string): ChangedPart {
  return Object.hasOwn(changedParts, action) ? changedParts[action as ActivityAction] : 'everything'
}
