import type { FastifyRequest } from 'fastify'

export type Credentials = { scheme: 'Bearer' | 'Basic'; secret: string }

export function readCredentials({ headers }: FastifyRequest): Credentials | null {
  const { authorization } = headers
  if (authorization === undefined) return null
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'Bearer', secret: value }
  if (scheme.toLowerCase() !== 'basic') return { scheme: 'Bearer', secret: '' }
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return { scheme: 'Basic', secret: password }
}

/** `Basic` makes a browser ask for a password, so only clients that sent one get it. */
export function challengeOf(request: FastifyRequest): string {
  const credentials = readCredentials(request)
  if (credentials?.scheme === 'Basic') return 'Basic realm="POA Land Management", charset="UTF-8"'
  const error = credentials ? ', error="invalid_token"' : ''
  return `Bearer realm="POA Land Management"${error}`
}
