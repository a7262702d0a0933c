import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

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
