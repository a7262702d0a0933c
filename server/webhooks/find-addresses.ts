import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import ip from 'ipaddr.js'
import type { InsideReceivers } from '../settings/webhook-settings.ts'

// Checks the address of a webhook. It comes from the manager of a map, who must not reach the server's
// internal network with it (server-side request forgery).

export class ForbiddenAddressError extends Error {}

export type Resolve = (hostName: string) => Promise<LookupAddress[]>

/** Uses the system's resolver and hosts file, for names that the operator allows. */
const resolveInside: Resolve = (hostName) => lookup(hostName, { all: true })

const dns = new Resolver({ timeout: 3_000, tries: 2 })

/** The system's resolver would occupy a thread of the process until a foreign name server responds. */
const resolveByDns: Resolve = async (hostName) => {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostName), dns.resolve6(hostName)])
  const addressesOf = (family: 4 | 6, found: PromiseSettledResult<string[]>) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...addressesOf(4, ipv4), ...addressesOf(6, ipv6)]
}

/** `resolve` replaces both resolvers. */
export type Guard = { inside: InsideReceivers; resolve?: Resolve | undefined }

const ports = ['', '443', '8443']

/** Cloud platforms serve virtual machines at this address, which looks public. */
const platformAddresses = ['168.63.129.16']

/**
 * Returns the checked addresses of a webhook: connect only to these, because resolving the name again may
 * give others. Addresses that the operator allows are unrestricted; all others need HTTPS, port 443 or 8443,
 * and a public address. Throws a ForbiddenAddressError with the reason.
 */
export async function findAddresses(url: string, { inside, resolve }: Guard): Promise<LookupAddress[]> {
  const { protocol, username, password, hostname, port } = readUrl(url)
  if (username !== '' || password !== '')
    throw new ForbiddenAddressError('must not contain a user name or password')
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isNamed = inside.names.includes(host)
  const resolveHost = resolve ?? (isNamed ? resolveInside : resolveByDns)
  const addresses = ip.isValid(host) ? [literal(host)] : await resolveAny(host, resolveHost)
  const isInside = isNamed || addresses.every((address) => isWithin(address, inside.ranges))
  if (isInside) return addresses
  if (protocol !== 'https:') throw new ForbiddenAddressError('must start with https://')
  if (!ports.includes(port)) throw new ForbiddenAddressError('must use port 443 or 8443')
  if (!addresses.every((address) => isPublic(address) || isWithin(address, inside.ranges)))
    throw new ForbiddenAddressError('is in a private network, which is not allowed')
  return addresses
}

/** Throws a ForbiddenAddressError unless it is a URL of the web. */
export function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ForbiddenAddressError('must be a URL such as https://example.org/hook')
  return url
}

const literal = (address: string): LookupAddress => ({
  address,
  family: ip.parse(address).kind() === 'ipv4' ? 4 : 6,
})

async function resolveAny(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new ForbiddenAddressError('has an unknown host name')
  return addresses
}

/** Also matches an IPv4 address written as an IPv6 address. */
function isWithin({ address }: LookupAddress, ranges: InsideReceivers['ranges']): boolean {
  const parsed = ip.process(address)
  return ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range))
}

/** Of IPv6, only 2000::/3 is public. The rest is unassigned or embeds IPv4 addresses. */
function isPublic({ address }: LookupAddress): boolean {
  const parsed = ip.parse(address)
  if (parsed.range() !== 'unicast' || platformAddresses.includes(address)) return false
  return parsed.kind() === 'ipv4' || parsed.match(ip.parseCIDR('2000::/3'))
}
