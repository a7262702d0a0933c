import type { ActivityAction } from '#domain/activity/activity.schema.ts'

// What receivers of webhooks hear of, without any schema library: the page needs these.

/** What an endpoint can ask for, in the words of its form. */
export const webhookEvents = {
  'feature.added': { label: 'Added', help: 'Or put back after it was removed.' },
  'feature.changed': { label: 'Changed', help: 'Its fields, place, status or maintenance.' },
  'feature.removed': { label: 'Removed', help: 'It can be put back for 30 days.' },
  'features.changed': {
    label: 'Several records changed at once',
    help: 'One event, however many there were.',
  },
  'import.done': { label: 'Import done', help: 'One event for all rows of the file.' },
  'import.undone': { label: 'Import taken back', help: 'One event for all that it takes back.' },
  'files.changed': {
    label: 'Photos and documents',
    help: 'Came, changed or went. Only staff see those that are not public.',
  },
  'drawings.changed': { label: 'Drawings', help: 'Only staff see them.' },
  'configuration.changed': {
    label: 'Settings of the map',
    help: 'Its configuration, own fields and calendar.',
  },
  'map.changed': { label: 'The map itself', help: 'It was renamed, archived, or came back.' },
} as const
export type WebhookEvent = keyof typeof webhookEvents

/** What is sent besides: somebody wants to see whether it arrives. */
export const testEvent = 'test'
export type SentEvent = WebhookEvent | typeof testEvent

/** Events of one record, which an endpoint may want of some kinds alone. */
export const isOfOneKind = (event: WebhookEvent) => event.startsWith('feature.') || event === 'files.changed'

const events: Record<ActivityAction, WebhookEvent | null> = {
  'sample.created': 'map.changed',
  'features.imported': 'import.done',
  'features.import-undone': 'import.undone',
  'features.rebuilt': 'features.changed',
  'configuration.applied': 'configuration.changed',
  'configuration.restored': 'configuration.changed',
  'configuration.removed': 'configuration.changed',
  'fields.changed': 'configuration.changed',
  'incident.resolved': 'feature.changed',
  'incident.reopened': 'feature.changed',
  'asset.status-changed': 'feature.changed',
  'feature.added': 'feature.added',
  'feature.changed': 'feature.changed',
  'feature.removed': 'feature.removed',
  'feature.put-back': 'feature.added',
  'features.changed': 'features.changed',
  // Told as a whole when it is over.
  'features.bulk-changing': null,
  'features.bulk-changed': 'features.changed',
  'file.added': 'files.changed',
  'file.changed': 'files.changed',
  'file.published': 'files.changed',
  'file.hidden': 'files.changed',
  'file.removed': 'files.changed',
  'file.put-back': 'files.changed',
  'maintenance.added': 'feature.changed',
  'maintenance.changed': 'feature.changed',
  'maintenance.removed': 'feature.changed',
  'calendar.shared': 'configuration.changed',
  'calendar.switched-off': 'configuration.changed',
  // Whom the map tells is nothing that it tells.
  'webhook.added': null,
  'webhook.changed': null,
  'webhook.secret-changed': null,
  'webhook.removed': null,
  'webhook.stopped': null,
  'drawing.added': 'drawings.changed',
  'drawing.changed': 'drawings.changed',
  'drawing.deleted': 'drawings.changed',
  'drawing.cleared': 'drawings.changed',
  'client.added': 'map.changed',
  'client.changed': 'map.changed',
  'client.archived': 'map.changed',
  'client.restored': 'map.changed',
  // A restore takes all webhooks away.
  'database.restored': null,
}

/** The event that tells of an activity; null where none does. */
export const eventOf = (action: ActivityAction): WebhookEvent | null => events[action]
