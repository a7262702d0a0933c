import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import ip from 'ipaddr.js'
import type { InsideReceivers } from '../settings/webhook-settings.ts'

// Where a webhook may go. Whoever writes its address is a manager of a map, not of the network that the server stands in:
// nobody reaches with it what the server alone can reach (server-side request forgery).

/** The message continues a sentence that begins with the address. */
export class ForbiddenAddressError extends Error {}

/** All addresses of a host name. Throws where it has none. */
export type Resolve = (hostName: string) => Promise<LookupAddress[]>

/** As the machine resolves names, its own list of hosts included: for what an operator has named. */
const resolveInside: Resolve = (hostName) => lookup(hostName, { all: true })

/** Somebody waits for the answer while they add a webhook. */
const dns = new Resolver({ timeout: 3_000, tries: 2 })

/**
 * By DNS alone. The machine's way keeps a thread waiting, of which the process has few, for as long as somebody's name server
 * likes; so files would come late, and whatever else needs them.
 */
const resolveByDns: Resolve = async (hostName) => {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostName), dns.resolve6(hostName)])
  const addressesOf = (family: 4 | 6, found: PromiseSettledResult<string[]>) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...addressesOf(4, ipv4), ...addressesOf(6, ipv6)]
}

/** `resolve` stands in for both ways to resolve a name. */
export type Guard = { inside: InsideReceivers; resolve?: Resolve | undefined }

const ports = ['', '443', '8443']

/** Where platforms of virtual machines answer them alone, at an address that looks like any other. */
const platformAddresses = ['168.63.129.16']

/**
 * The addresses that a webhook may be sent to, each of them checked: connect to these, and do not ask for the name again,
 * as the next answer may be another one. What an operator has named as inside is free; everything else is HTTPS,
 * its port 443 or 8443, in the public internet. Throws a ForbiddenAddressError that says in words what is wrong.
 */
export async function findAddresses(url: string, { inside, resolve }: Guard): Promise<LookupAddress[]> {
  const { protocol, username, password, hostname, port } = readUrl(url)
  if (username !== '' || password !== '')
    throw new ForbiddenAddressError('must not hold a user name or a password')
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isNamed = inside.names.includes(host)
  const resolveHost = resolve ?? (isNamed ? resolveInside : resolveByDns)
  const addresses = ip.isValid(host) ? [literal(host)] : await resolveAny(host, resolveHost)
  const isInside = isNamed || addresses.every((address) => isWithin(address, inside.ranges))
  if (isInside) return addresses
  if (protocol !== 'https:') throw new ForbiddenAddressError('must begin with https://')
  if (!ports.includes(port)) throw new ForbiddenAddressError('must be on port 443 or 8443')
  if (!addresses.every((address) => isPublic(address) || isWithin(address, inside.ranges)))
    throw new ForbiddenAddressError('leads into a private network, which webhooks do not go to')
  return addresses
}

function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ForbiddenAddressError('must be an address such as https://example.org/hook')
  return url
}

const literal = (address: string): LookupAddress => ({
  address,
  family: ip.parse(address).kind() === 'ipv4' ? 4 : 6,
})

async function resolveAny(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new ForbiddenAddressError('has a host name that leads nowhere')
  return addresses
}

/** An IPv4 address is within a range also where it is written as an IPv6 address. */
function isWithin({ address }: LookupAddress, ranges: InsideReceivers['ranges']): boolean {
  const parsed = ip.process(address)
  return ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range))
}

/**
 * Of IPv6 only 2000::/3 is handed out for the public internet; what else there is of it either is none or holds an IPv4
 * address that leads elsewhere.
 */
function isPublic({ address }: LookupAddress): boolean {
  const parsed = ip.parse(address)
  if (parsed.range() !== 'unicast' || platformAddresses.includes(address)) return false
  return parsed.kind() === 'ipv4' || parsed.match(ip.parseCIDR('2000::/3'))
}
