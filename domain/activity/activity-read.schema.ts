import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** How far whoever asks has read what happened: everything up to this instant. */
export const activityRead = z.strictObject({ at: instant })
export type ActivityRead = z.infer<typeof activityRead>

/** For a reader who has never opened the list: older activity counts as read. */
export const newsDays = 30
