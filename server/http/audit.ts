import { createHash } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Roles } from '#domain/access/access.ts'
import type { Configuration } from '../settings/configuration.ts'

/** A log of what happens to sessions and rights, for audits. It contains no names of persons. */
export type AuditLog = Pick<FastifyBaseLogger, 'info'>

/** Shown with the default level, although it is no warning; not where the operator wants to see errors alone. */
export function openAuditLog(app: FastifyInstance, { logLevel }: Pick<Configuration, 'logLevel'>): AuditLog {
  const level = ['fatal', 'error', 'silent'].includes(logLevel) ? logLevel : 'info'
  return app.log.child({ log: 'access' }, { level })
}

/** The same for a person each time, and not their name: the provider's, which may be a mail address, stands for nobody. */
export function digestOf(personId: string): string {
  return createHash('sha256').update(personId).digest('hex').slice(0, 16)
}

/** As a provider's claim would say them. */
export function wordsOf({ isAdministrator, ofMaps }: Roles): string[] {
  if (isAdministrator) return ['administrator']
  return Object.entries(ofMaps)
    .map(([mapId, role]) => `${role}:${mapId}`)
    .sort()
}
