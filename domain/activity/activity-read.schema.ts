import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** Everything up to this instant counts as read. */
export const activityRead = z.strictObject({ at: instant })
export type ActivityRead = z.infer<typeof activityRead>

export const newsDays = 30
