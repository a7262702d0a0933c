import type { LinkProps } from '@tanstack/react-router'
import { activityRule } from '#domain/activity/activities.ts'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'

/** After these the one feature that changed is there to be looked at. */
const isThere = ['feature.added', 'feature.put-back']

/** Where to see what an activity tells of: the feature, the versions of the settings, the drawings, the client. */
export function activityLink(mapId: string, { action, subject }: ActivityItem): LinkProps {
  const sectionOf = (section: string, search: Record<string, unknown> = {}) =>
    ({ to: '/config/map/$mapId/$section', params: { mapId, section }, search }) as LinkProps
  switch (activityRule(action).part) {
    case 'status':
    case 'maintenance':
    case 'feature':
    case 'files':
      return sectionOf('features', { select: subject ?? undefined })
    case 'features':
    case 'imports':
      return sectionOf('features', { select: isThere.includes(action) ? (subject ?? undefined) : undefined })
    case 'configuration':
      return sectionOf('configuration', { versions: 'open' })
    case 'webhooks':
      return sectionOf('webhooks', {
        webhook: action === 'webhook.removed' ? undefined : (subject ?? undefined),
      })
    case 'drawings':
      return { to: '/webgl/$mapId', params: { mapId } } as LinkProps
    default:
      return sectionOf('map')
  }
}
