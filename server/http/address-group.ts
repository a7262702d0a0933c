import { isIPv6 } from 'node:net'

/**
 * The network of an address: customers have a whole /64 of IPv6 addresses. Sockets that are closed have no address,
 * whatever their types say.
 */
export function addressGroup(text = ''): string {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groupsOf = (part = '') => (part === '' ? [] : part.split(':'))
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
