import { FixableError } from '../domain-error.ts'
import { findReturnNames, type ReturnName } from '../mail/return-path.ts'

export const maxBounceBytes = 1024 * 1024
const maxNames = 10
const maxParts = 20

export class BounceError extends FixableError {}

/** `status` is that of RFC 3463. 2.x.x: delivered or passed on. */
export type Bounce = { names: ReturnName[]; status: string }

/** Reads a delivery status notification (RFC 3464). Throws a `BounceError` that says why a message is none. */
export function readBounce(message: string): Bounce {
  const text = message.replaceAll('\r\n', '\n').replace(/^From [^\n]*\n/, '')
  const { headers, body } = splitPart(text)
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/report\b/i.test(type))
    throw new BounceError('The message is no delivery report: its Content-Type must be multipart/report.')
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s";]{1,200}))/i.exec(type)
  if (!boundary) throw new BounceError('The Content-Type of the message has no boundary.')
  const parts = `\n${body}`
    .split(`\n--${boundary[1] ?? boundary[2]}`, maxParts)
    .slice(1)
    .map((part) => splitPart(part.replace(/^[^\n]*\n/, '')))
  const report = parts.find(({ headers }) =>
    /^message\/(global-)?delivery-status\b/i.test(headers.get('content-type') ?? ''),
  )
  if (!report) throw new BounceError('The message has no part of type message/delivery-status.')
  const isBase64 = /base64/i.test(report.headers.get('content-transfer-encoding') ?? '')
  const fields = isBase64 ? Buffer.from(report.body, 'base64').toString('latin1') : report.body
  const status = worstStatus(fields.replaceAll('\r\n', '\n'))
  if (status === null)
    throw new BounceError('The delivery report has no Status of a recipient, such as 5.1.1.')
  const names = findReturnNames(text, maxNames)
  if (names.length === 0)
    throw new BounceError('The message names no return path of this server (bounce+...@...).')
  return { names, status }
}

function splitPart(text: string): { headers: Map<string, string>; body: string } {
  const end = text.startsWith('\n') ? 0 : text.indexOf('\n\n')
  const head = end < 0 ? text : text.slice(0, end)
  const headers = new Map<string, string>()
  for (const line of head.replaceAll(/\n[ \t]/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, body: end < 0 ? '' : text.slice(end + 1) }
}

/** Our emails have one recipient. More in a report are those that the mail server passed it on to. */
function worstStatus(fields: string): string | null {
  const found = [...fields.matchAll(/^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})(?!\d)/gim)].map(
    ([, status]) => status as string,
  )
  return found.toSorted((one, other) => (one[0] as string).localeCompare(other[0] as string)).at(-1) ?? null
}
