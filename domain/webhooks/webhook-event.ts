// No schema library: the page needs this.

export const webhookEvents = {
  'feature.added': { label: 'Added', help: 'Or restored after its removal.' },
  'feature.changed': { label: 'Changed', help: 'Its fields, place, status or maintenance.' },
  'feature.removed': { label: 'Removed', help: 'It can be restored for 30 days.' },
  'features.changed': {
    label: 'Several records changed at once',
    help: 'One event, however many there were.',
  },
  'import.done': { label: 'Import done', help: 'One event for all rows of the file.' },
  'import.undone': { label: 'Import undone', help: 'One event for the whole import.' },
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

export const testEvent = 'test'
export type SentEvent = WebhookEvent | typeof testEvent

export const isOfOneKind = (event: WebhookEvent) => event.startsWith('feature.') || event === 'files.changed'
