import { randomUUID } from 'node:crypto'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { newestFirst } from '#domain/maintenance/follow-entries.ts'
import {
  maintenanceEntry,
  maintenanceLog,
  maintenancePatch,
  newMaintenanceEntry,
} from '#domain/maintenance/maintenance.schema.ts'
import { changeId, featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { notFound } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import { readNextDue } from '../rows/feature-row.ts'
import { readFeature } from '../rows/feature-rows.queries.ts'
import { addEntry, changeEntry, removeEntry, toMaintenanceEntry } from './maintain.commands.ts'
import { readEntries } from './maintenance-entries.queries.ts'

const tags = ['maintenance']
const config = { access: 'editor' } as const
const bodyLimit = 16 * 1024
const path = '/api/maps/:mapId/features/:id/maintenance'
const featureParams = z.object({ mapId, id: featureId })
const entryParams = featureParams.extend({ entryId: changeId })

const changed = z.object({
  changeId: changeId.meta({ description: 'Id of the change, for undoing it' }),
  version: z.number().int().min(1).meta({ description: 'Current version of the asset' }),
  entry: maintenanceEntry.nullable().meta({ description: 'Null if the entry was removed' }),
})

export const maintenanceRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get(path, {
    config: { access: 'staff' },
    schema: {
      summary: 'List the maintenance of an asset, newest first',
      tags,
      params: featureParams,
      response: { 200: maintenanceLog },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const row = await readFeature(database, mapId, id)
      if (!row) throw notFound(`Map ${mapId} has no feature ${id}.`)
      const entries = (await readEntries(database.read, mapId, [id])).get(id) ?? []
      forOnePerson(reply)
      return { items: newestFirst(entries).map(toMaintenanceEntry), nextDue: readNextDue(row) }
    },
  })

  app.post(path, {
    config,
    bodyLimit,
    schema: {
      summary: 'Add a maintenance entry',
      description:
        'The client sets the id, which is also the id of the change. A repeated request returns the existing entry. ' +
        'The entries set the maintenance fields of the asset.',
      tags,
      params: featureParams,
      body: newMaintenanceEntry,
      response: { 201: changed },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      refuseSample(mapId)
      const { id: changeId, ...input } = request.body
      const { date, text, performedBy, costCents, hours, nextDue } = input
      const whole = { date, text, performedBy, costCents, hours, nextDue }
      const { version, entry } = await addEntry(database, { mapId, person, changeId }, { id, input: whole })
      reply.status(201).header('etag', etagOf(entry.version))
      return { changeId, version, entry: toMaintenanceEntry(entry) }
    },
  })

  app.patch(`${path}/:entryId`, {
    config,
    bodyLimit,
    schema: {
      summary: 'Change a maintenance entry',
      description:
        'A merge patch (RFC 7396): omitted fields do not change, null clears them. Returns 412 with the current version as ' +
        '`current` if the entry has changed.',
      tags,
      consumes: ['application/merge-patch+json', 'application/json'],
      params: entryParams,
      headers: ifMatchHeader,
      body: maintenancePatch,
      response: { 200: changed },
    },
    async handler(request, reply) {
      const { mapId, id, entryId } = request.params
      const { person } = request
      refuseSample(mapId)
      const isExpected = readIfMatch(request.headers['if-match'])
      const changeId = randomUUID()
      const named = { id, entryId, isExpected }
      const { version, entry } = await changeEntry(database, { mapId, person, changeId }, named, request.body)
      if (!entry) throw notFound(`Asset ${id} has no maintenance entry ${entryId}.`)
      reply.header('etag', etagOf(entry.version))
      return { changeId, version, entry: toMaintenanceEntry(entry) }
    },
  })

  app.delete(`${path}/:entryId`, {
    config,
    schema: {
      summary: 'Remove a maintenance entry',
      description: 'Undo the change to restore the entry.',
      tags,
      params: entryParams,
      headers: ifMatchHeader,
      response: { 200: changed },
    },
    async handler(request) {
      const { mapId, id, entryId } = request.params
      const { person } = request
      refuseSample(mapId)
      const isExpected = readIfMatch(request.headers['if-match'])
      const changeId = randomUUID()
      const change = { mapId, person, changeId }
      const { version } = await removeEntry(database, change, { id, entryId, isExpected })
      return { changeId, version, entry: null }
    },
  })
  done()
}
