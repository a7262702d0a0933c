import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** Everything that is recorded as having happened on a map. */
export const activityActions = [
  'sample.created',
  'features.imported',
  'features.import-undone',
  'features.rebuilt',
  'configuration.applied',
  'configuration.restored',
  'configuration.removed',
  'fields.changed',
  'incident.resolved',
  'incident.reopened',
  'asset.status-changed',
  'feature.added',
  'feature.changed',
  'feature.removed',
  'feature.put-back',
  'features.changed',
  'features.bulk-changing',
  'features.bulk-changed',
  'file.added',
  'file.changed',
  'file.published',
  'file.hidden',
  'file.removed',
  'file.put-back',
  'maintenance.added',
  'maintenance.changed',
  'maintenance.removed',
  'calendar.shared',
  'calendar.switched-off',
  'webhook.added',
  'webhook.changed',
  'webhook.secret-changed',
  'webhook.removed',
  'webhook.stopped',
  'drawing.added',
  'drawing.changed',
  'drawing.deleted',
  'drawing.cleared',
  'client.added',
  'client.changed',
  'client.archived',
  'client.restored',
  'database.restored',
] as const
export type ActivityAction = (typeof activityActions)[number]

/** A part of something that is told as a whole when it is over: pages follow it, and no list tells it. */
export const untoldActions: readonly ActivityAction[] = ['features.bulk-changing']

/** Neither drawings nor files are on any tile, nor is anything of webhooks. */
export function isOnNoTile(action: string): boolean {
  return ['drawing.', 'file.', 'webhook.'].some((start) => action.startsWith(start))
}

/** Drawings and webhooks are for staff alone, and so is a file until somebody makes it public. */
export function isForStaff(action: string): boolean {
  const isOfStaff = action.startsWith('drawing.') || action.startsWith('webhook.')
  return isOfStaff || action === 'file.added' || action === 'file.changed'
}

/** One thing that happened. `details` depends on the action and is never personal. */
export const activityItem = z.object({
  id: z.string(),
  at: instant,
  /** Name of who did it; null where a program did. */
  actor: z.string().nullable(),
  /** The token by which a program did it for them; null is in the page. */
  tokenId: z.string().nullable(),
  action: z.string(),
  /** Id of the one thing that changed, where it was one. */
  subject: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  isUnread: z.boolean(),
})
export type ActivityItem = z.infer<typeof activityItem>

/** Newest first. `unread` counts what others did since the reader last looked, over all pages. */
export const activityPage = z.object({
  items: z.array(activityItem),
  next: z.string().nullable(),
  unread: z.number().int().min(0),
})
export type ActivityPage = z.infer<typeof activityPage>
