import ip from 'ipaddr.js'
import { z } from 'zod'
import { hostNameOf } from './host-names.ts'

type Range = ReturnType<typeof ip.parseCIDR>

export type InsideReceivers = { names: readonly string[]; ranges: readonly Range[] }

const entriesOf = (text = '') =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function rangeOf(entry: string): Range | null {
  if (ip.isValidCIDR(entry)) return ip.parseCIDR(entry)
  const address = entry.replace(/^\[(.*)\]$/, '$1')
  if (!ip.IPv4.isValidFourPartDecimal(address) && !ip.IPv6.isValid(address)) return null
  const parsed = ip.parse(address)
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128]
}

const nameOf = (entry: string) => (/[:/]|^[\d.]+$/.test(entry) ? null : hostNameOf(entry))

export const webhookSettings = {
  WEBHOOK_INSIDE: z
    .string()
    .refine(
      (text) => entriesOf(text).every((entry) => rangeOf(entry) !== null || nameOf(entry) !== null),
      'must be host names, addresses, or ranges such as 10.0.0.0/8, separated by commas, without ports',
    )
    .optional(),
}

export function insideReceiversOf({
  WEBHOOK_INSIDE,
}: {
  WEBHOOK_INSIDE?: string | undefined
}): InsideReceivers {
  const entries = entriesOf(WEBHOOK_INSIDE)
  const ranges = entries.map(rangeOf).filter((range) => range !== null)
  const names = entries.filter((entry) => rangeOf(entry) === null).map(nameOf)
  return { names: names.filter((name) => name !== null), ranges }
}
