import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** `details` depends on the action and is never personal. */
export const activityItem = z.object({
  id: z.string(),
  at: instant,
  actor: z.string().nullable(),
  tokenId: z.string().nullable(),
  action: z.string(),
  subject: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  isUnread: z.boolean(),
})
export type ActivityItem = z.infer<typeof activityItem>

/** Newest first. `unread` counts activities of other users on all pages. */
export const activityPage = z.object({
  items: z.array(activityItem),
  next: z.string().nullable(),
  unread: z.number().int().min(0),
})
export type ActivityPage = z.infer<typeof activityPage>

/** Everything up to this instant counts as read. */
export const activityRead = z.strictObject({ at: instant })

export const newsDays = 30
