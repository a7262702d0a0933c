import { z } from 'zod'
import { text } from '#domain/values/common.schema.ts'
import { maxNoticeCharacters, maxRadiusMeters } from './subscriptions.ts'

export const noticeMeters = z.number().int().min(0).max(maxRadiusMeters).default(0).meta({
  description: 'Also around the selected features, which are an area of their own with 0',
})

export const noticeContent = {
  subject: text(200)
    .trim()
    .min(1, 'is required')
    .regex(/^\P{Cc}*$/u, 'must be one line'),
  message: text(maxNoticeCharacters).trim().min(1, 'is required').meta({ description: 'Plain text' }),
}

/** Never addresses: staff do not see who is subscribed. */
export const noticeReach = z.object({
  parcels: z.number().int().meta({ description: 'Parcels in the area' }),
  people: z.number().int().meta({ description: 'Addresses that agreed to get notices for the area' }),
})
export type NoticeReach = z.infer<typeof noticeReach>
