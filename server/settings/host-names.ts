/** Of a name with or without a port; null where it is none. Ports are left out: some proxies leave them out too. */
export function hostNameOf(host: string | undefined): string | null {
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i.test(host ?? '')) return null
  return URL.parse(`http://${host}`)?.hostname ?? null
}

/** Whether the address can only mean this very machine. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

/** A name or an address, an IPv6 address with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|.+\.localhost|(::ffff:)?127\.\d+\.\d+\.\d+|\[::1\]|::1)$/i.test(host)
}
