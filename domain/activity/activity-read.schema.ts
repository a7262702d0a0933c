import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'

/** How far whoever asks has read what happened: everything up to this instant. */
export const activityRead = z.strictObject({ at: instant })
export type ActivityRead = z.infer<typeof activityRead>

/** To whoever never looked before, what is older than this is no news. */
export const newsDays = 30
