import { z } from 'zod'

/** `unknown`: could not be looked up. `unchecked`: MAIL_DKIM_SELECTOR is not set. */
const recordState = z.enum(['found', 'missing', 'unknown', 'unchecked'])
export type RecordState = z.infer<typeof recordState>

export const testMail = z.strictObject({ email: z.email('must be an email address').max(254) })

export const testMailAnswer = z.object({
  problem: z.string().nullable().meta({ description: 'Null: the mail server accepted the email' }),
  domain: z.string().meta({ description: 'That of MAIL_FROM' }),
  spf: recordState,
  dkim: recordState,
  dmarc: recordState,
})
export type TestMailAnswer = z.infer<typeof testMailAnswer>
