import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { featureDetail } from '#domain/features/feature.schema.ts'
import { changeId, featureId, mapId } from '#domain/values/common.schema.ts'
import {
  incidentNote,
  incidentNotes,
  maxListedWork,
  noteChange,
  workList,
  workStep,
} from '#domain/work/work.schema.ts'
import { workViews } from '#domain/work/work-views.ts'
import type { Database } from '../database/database.ts'
import { NotFoundError } from '../domain-error.ts'
import { readFeatureDetail } from '../features/rows/feature-detail.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { mayRequest } from '../http/access.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { readToday } from '../maps/time-zone.queries.ts'
import { countReporters, listMergesInto } from '../merges/merges.queries.ts'
import { listNotes, toNote } from './notes.queries.ts'
import { changeNote, removeNote, takeWorkStep } from './work.commands.ts'
import { readWork } from './work-list.queries.ts'

const tags = ['work']
const editing = { access: 'editor' } as const
const incidentParams = z.object({ mapId, id: featureId })
const noteParams = incidentParams.extend({ noteId: changeId })
const path = '/api/maps/:mapId/incidents/:id'
const bodyLimit = 16 * 1024

export const workRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get('/api/maps/:mapId/work', {
    config: { access: 'staff' },
    schema: {
      summary: 'List open work, most urgent first',
      description:
        'Open incidents, and assets whose maintenance is due within 30 days or overdue. `mine` compares the assignee with ' +
        `the name of the user. At most ${maxListedWork} items; \`total\` counts all.`,
      tags,
      params: z.object({ mapId }),
      querystring: z.strictObject({ view: z.enum(workViews).default('all') }),
      response: { 200: workList },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { view } = request.query
      const today = await readToday(database, mapId)
      const signal = disconnectSignal(reply)
      forOnePerson(reply)
      const wanted = { view, name: request.person.name, today, limit: maxListedWork }
      return readWork(database, { mapId, signal, isStaff: true }, wanted)
    },
  })

  app.post(`${path}/work`, {
    config: editing,
    bodyLimit,
    schema: {
      summary: 'Change the progress of an incident, with notes',
      description:
        'A public note is for everyone and goes to the reporters by email, an internal note is for staff. `resolved` follows ' +
        'from the state.',
      tags,
      params: incidentParams,
      headers: ifMatchHeader,
      body: workStep,
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      refuseSample(mapId)
      const { person, body } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await takeWorkStep(database, { mapId, incidentId: id, person, isExpected }, body)
      forOnePerson(reply)
      reply.header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, 'everything')
    },
  })

  app.get(`${path}/notes`, {
    config: { access: 'public' },
    schema: {
      summary: 'List the notes on an incident, oldest first',
      description:
        'Staff get all notes, everyone else those that are public. With the number of people who reported the incident.',
      tags,
      params: incidentParams,
      response: { 200: incidentNotes },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      forOnePerson(reply)
      const isStaff = await mayRequest(request, 'staff', mapId)
      // Notes on a report are not public before it is accepted.
      if (!isStaff && !(await readRowsOf(database.read, mapId, [id])).has(id))
        throw new NotFoundError(`Map ${mapId} has no incident ${id}.`)
      const key = { mapId, incidentIds: [id] }
      const notes = await listNotes(database.read, key, isStaff ? 'everything' : 'public')
      const merges = isStaff ? await listMergesInto(database.read, { mapId, id }) : []
      return {
        items: notes.map((note) => toNote(note, isStaff)),
        reporters: (await countReporters(database.read, key)).get(id) ?? 0,
        merged: merges.map((merge) => ({
          id: merge.source_id,
          title: merge.title,
          at: new Date(merge.at).toISOString(),
          by: merge.actor,
        })),
      }
    },
  })

  app.patch(`${path}/notes/:noteId`, {
    config: editing,
    bodyLimit,
    schema: {
      summary: 'Publish, hide or correct a note',
      tags,
      params: noteParams,
      body: noteChange,
      response: { 200: incidentNote },
    },
    async handler(request, reply) {
      const { mapId, id, noteId } = request.params
      refuseSample(mapId)
      const key = { mapId, incidentId: id, id: noteId, person: request.person }
      forOnePerson(reply)
      return toNote(await changeNote(database, key, request.body), true)
    },
  })

  app.delete(`${path}/notes/:noteId`, {
    config: editing,
    schema: { summary: 'Remove a note', tags, params: noteParams, response: { 204: z.null() } },
    async handler(request, reply) {
      const { mapId, id, noteId } = request.params
      refuseSample(mapId)
      await removeNote(database, { mapId, incidentId: id, id: noteId, person: request.person })
      reply.status(204)
      return null
    },
  })
  done()
}
