import { createHash } from 'node:crypto'
import type { ReportsTable } from '../database/tables.ts'
import { isEqualText } from '../http/is-equal-text.ts'

// A browser chooses the key of its report, and the database has only the hash. Emails need a link as well: their key is
// derived from the hash, so that it can be written again and again.

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const hashOfKey = sha256

type Keyed = Pick<ReportsTable, 'key_hash'>

/** The key in the links of emails. It opens the report as the key of the reporter does. */
export const mailKeyOf = ({ key_hash: hash }: Keyed) => sha256(`mail ${hash}`).slice(0, 32)

/** Only ends emails. */
export const unsubscribeTokenOf = ({ key_hash: hash }: Keyed) => sha256(`unsubscribe ${hash}`).slice(0, 32)

/** Sent to the address only. The reporter cannot derive it from the key of the report. */
export const isConfirmationKeyOf = (
  { email_secret: secret }: Pick<ReportsTable, 'email_secret'>,
  key: string,
) => secret !== null && isEqualText(key, secret)

export function isKeyOf(row: Keyed, key: string): boolean {
  return isEqualText(hashOfKey(key), row.key_hash) || isEqualText(key, mailKeyOf(row))
}
