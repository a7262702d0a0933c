export const defaultReturnPath = '/config/map'

const maxLength = 2_000

/**
 * Returns the default for anything but a path of our page. Rejects everything but visible ASCII: browsers
 * drop tabs and line breaks, and read a backslash as a slash.
 */
export function toReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > maxLength) return defaultReturnPath
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(value)) return defaultReturnPath
  const base = 'http://return.invalid'
  if (!URL.canParse(value, base)) return defaultReturnPath
  const { origin, pathname, search, hash } = new URL(value, base)
  // `/.//evil.example` becomes `//evil.example` when its dots are resolved.
  if (origin !== base || pathname.startsWith('//')) return defaultReturnPath
  if (/^\/(sign-in|sign-out|demo-identity|api)(\/|$)/.test(pathname)) return defaultReturnPath
  return `${pathname}${search}${hash}`
}
