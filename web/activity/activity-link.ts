import type { LinkProps } from '@tanstack/react-router'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import { changedPart } from '#domain/activity/changed-part.ts'

/** Where to see what an activity tells of: the feature, the versions of the settings, the drawings, the client. */
export function activityLink(mapId: string, { action, subject }: ActivityItem): LinkProps {
  const sectionOf = (section: string, search: Record<string, unknown> = {}) =>
    ({ to: '/config/map/$mapId/$section', params: { mapId, section }, search }) as LinkProps
  switch (changedPart(action)) {
    case 'status':
      return sectionOf('features', { select: subject ?? undefined })
    case 'features':
      return sectionOf('features')
    case 'configuration':
      return sectionOf('configuration', { versions: 'open' })
    case 'drawings':
      return { to: '/webgl/$mapId', params: { mapId } } as LinkProps
    default:
      return sectionOf('map')
  }
}
