/** Where the specification sends people after they signed in. */
export const defaultReturnPath = '/config/map'

const maxLength = 2_000

/**
 * The path to return to, or the default where it could lead anywhere else than to a page of ours. What is not
 * plain visible ASCII is refused: browsers drop tabs and line breaks and take a backslash for a slash.
 */
export function toReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > maxLength) return defaultReturnPath
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(value)) return defaultReturnPath
  const base = 'http://return.invalid'
  if (!URL.canParse(value, base)) return defaultReturnPath
  const { origin, pathname, search, hash } = new URL(value, base)
  // `/.//evil.example` becomes `//evil.example` once its dots are resolved.
  if (origin !== base || pathname.startsWith('//')) return defaultReturnPath
  // Back to the sign-in, or out of the session again: neither is a place to be.
  if (/^\/(sign-in|sign-out|demo-identity|api)(\/|$)/.test(pathname)) return defaultReturnPath
  return `${pathname}${search}${hash}`
}
