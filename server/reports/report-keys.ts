import { createHash } from 'node:crypto'
import type { ReportsTable } from '../database/tables.ts'
import { isEqualText } from '../http/is-equal-text.ts'

// A browser chooses the key of its report, and the database has only the hash. Emails need a link as well: their key is
// derived from the hash, so that it can be written again and again.

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const hashOfKey = sha256

type Keyed = Pick<ReportsTable, 'key_hash' | 'email_changes'>

/** Differs for each address of a report: links in emails to an earlier address no longer work. */
const derive = (purpose: string, { key_hash: hash, email_changes: changes }: Keyed) =>
  sha256([purpose, hash, ...(changes === 0 ? [] : [changes])].join(' ')).slice(0, 32)

/** The key in the links of emails. It opens the report as the key of the reporter does. */
export const mailKeyOf = (row: Keyed) => derive('mail', row)

/** Only ends emails. */
export const unsubscribeTokenOf = (row: Keyed) => derive('unsubscribe', row)

/** Of an address that ended the emails about a report. */
export const hashOfEmail = ({ key_hash: hash }: Pick<ReportsTable, 'key_hash'>, email: string) =>
  sha256(`email ${hash} ${email.toLowerCase()}`)

/** Outside the API, as browsers can open it. */
export const stopEmailsPath = '/stop-emails/:mapId/:id'
export const stopEmailsPathOf = ({ mapId, id }: { mapId: string; id: string }) =>
  `/stop-emails/${encodeURIComponent(mapId)}/${encodeURIComponent(id)}`

/** Sent to the address only. The reporter cannot derive it from the key of the report. */
export const isConfirmationKeyOf = (
  { email_secret: secret }: Pick<ReportsTable, 'email_secret'>,
  key: string,
) => secret !== null && isEqualText(key, secret)

export function isKeyOf(row: Keyed, key: string): boolean {
  return isEqualText(hashOfKey(key), row.key_hash) || isEqualText(key, mailKeyOf(row))
}
