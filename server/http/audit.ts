import { createHash } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Roles } from '#domain/access/access.ts'
import type { Configuration } from '../settings/configuration.ts'

export type AuditLog = Pick<FastifyBaseLogger, 'info'>

export function openAuditLog(app: FastifyInstance, { logLevel }: Pick<Configuration, 'logLevel'>): AuditLog {
  const level = ['fatal', 'error', 'silent'].includes(logLevel) ? logLevel : 'info'
  return app.log.child({ log: 'access' }, { level })
}

/** A stable pseudonym: the provider's id may be an email address. */
export function digestOf(personId: string): string {
  return createHash('sha256').update(personId).digest('hex').slice(0, 16)
}

export function wordsOf({ isAdministrator, ofMaps }: Roles): string[] {
  if (isAdministrator) return ['administrator']
  return Object.entries(ofMaps)
    .map(([mapId, role]) => `${role}:${mapId}`)
    .sort()
}
