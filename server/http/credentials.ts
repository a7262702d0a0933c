import type { FastifyRequest } from 'fastify'

/** What the header `Authorization` brings: a token, by itself or as the password of a user who does not matter. */
export type Credentials = { scheme: 'Bearer' | 'Basic'; secret: string }

/** Null where the header is missing. What is of neither scheme is a bearer's that nobody has. */
export function readCredentials({ headers }: FastifyRequest): Credentials | null {
  const { authorization } = headers
  if (authorization === undefined) return null
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'Bearer', secret: value }
  if (scheme.toLowerCase() !== 'basic') return { scheme: 'Bearer', secret: '' }
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return { scheme: 'Basic', secret: password }
}

/** The `WWW-Authenticate` of a 401. A browser asks nobody for a password where nobody has sent one. */
export function challengeOf(request: FastifyRequest): string {
  const credentials = readCredentials(request)
  if (credentials?.scheme === 'Basic') return 'Basic realm="POA Land Management", charset="UTF-8"'
  const error = credentials ? ', error="invalid_token"' : ''
  return `Bearer realm="POA Land Management"${error}`
}
