/** Removes the port, which some proxies omit too. Null for an invalid name. */
export function hostNameOf(host: string | undefined): string | null {
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i.test(host ?? '')) return null
  return URL.parse(`http://${host}`)?.hostname ?? null
}

export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

export function isLoopbackHost(host: string): boolean {
  return /^(localhost|.+\.localhost|(::ffff:)?127\.\d+\.\d+\.\d+|\[::1\]|::1)$/i.test(host)
}
