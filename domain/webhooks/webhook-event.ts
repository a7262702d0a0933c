// No schema library: the page needs this.

export const webhookEvents = {
  'feature.added': { label: 'Added', help: 'Also when a removed record is restored.' },
  'feature.changed': { label: 'Changed', help: 'Fields, location, status, or maintenance.' },
  'feature.removed': { label: 'Removed', help: 'You can restore records for 30 days.' },
  'features.changed': {
    label: 'Bulk changes',
    help: 'One event for all records of a change.',
  },
  'import.done': { label: 'Import finished', help: 'One event per import.' },
  'import.undone': { label: 'Import undone', help: 'One event per import.' },
  'files.changed': {
    label: 'Photos and documents',
    help: 'Added, changed, or removed. Files that are not public are for staff only.',
  },
  'notes.changed': {
    label: 'Notes on incidents',
    help: 'Added, published, hidden, or removed. Notes that are not public are for staff only.',
  },
  'reports.changed': {
    label: 'Reports',
    help: 'Reports of residents: received, changed, or reviewed. For staff only.',
  },
  'drawings.changed': { label: 'Drawings', help: 'For staff only.' },
  'configuration.changed': {
    label: 'Map settings',
    help: 'Configuration, custom fields, report settings, and calendar.',
  },
  'map.changed': { label: 'Map', help: 'Renamed, archived, or restored.' },
} as const
export type WebhookEvent = keyof typeof webhookEvents

export const testEvent = 'test'
export type SentEvent = WebhookEvent | typeof testEvent

export const isOfOneKind = (event: WebhookEvent) =>
  event.startsWith('feature.') || event === 'files.changed' || event === 'notes.changed'
