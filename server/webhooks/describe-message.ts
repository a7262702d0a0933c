import type { SentEvent } from '#domain/webhooks/webhook-event.ts'
import type { WebhookDeliveriesTable } from '../database/tables.ts'

/** Contains no data: receivers request it at `link`, which is null if the subject was removed. */
export function describeMessage(delivery: WebhookDeliveriesTable, publicUrl: string): string {
  const { map_id: mapId, event: type, at, subject, kind, version } = delivery
  const path = pathOf(type, subject)
  const link = path === null ? null : `${publicUrl}/api/maps/${mapId}${path}`
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { mapId, subject, kind, version, link },
  })
}

function pathOf(event: SentEvent, subject: string | null): string | null {
  switch (event) {
    case 'feature.added':
    case 'feature.changed':
      return `/features/${subject}`
    case 'feature.removed':
      return null
    case 'features.changed':
    case 'import.done':
    case 'import.undone':
      return '/features'
    case 'files.changed':
      return `/features/${subject}/files`
    case 'drawings.changed':
      return '/drawings'
    case 'configuration.changed':
      return '/configuration'
    case 'map.changed':
    case 'test':
      return ''
  }
}
