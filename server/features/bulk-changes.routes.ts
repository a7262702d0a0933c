import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type BulkChange, bulkChange, bulkPreview, bulkWish } from '#domain/features/bulk-change.schema.ts'
import { maxBulk } from '#domain/features/bulk-change.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import type { BulkChangesTable } from '../database/tables.ts'
import { NotAnsweredError } from '../domain-error.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { notFound, ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { cancelBulkChange, startBulkChange, undoBulkChange } from './bulk-changes.commands.ts'
import {
  isAnyAsLeft,
  type Meant,
  readBulkRow,
  readLeft,
  readMeantByFilter,
  readMeantByIds,
} from './bulk-changes.queries.ts'
import { previewBulkChange } from './bulk-preview.ts'
import { type FeatureFilter, featureFilter } from './feature-filter.ts'
import { filterInSight } from './sight.ts'

/** Ten thousand ids, and every field filled. */
const bodyLimit = 2 * 1024 * 1024
/** Of so many features that were left the answer tells the names. */
const mostLeft = 20

const config = { access: 'editor' } as const
const tags = ['features']
const path = '/api/maps/:mapId/bulk-changes'
const ofMap = z.object({ mapId })
const ofChange = z.object({ mapId, id: changeId })

const wish = z.strictObject({
  ...bulkWish,
  filter: z
    .strictObject(featureFilter)
    .optional()
    .meta({ description: 'As the list of features takes it; empty is everything on the map' }),
})
type Wish = z.infer<typeof wish>

export const bulkChangeRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post(
    path,
    {
      config,
      bodyLimit,
      schema: {
        summary: 'Change or remove everything under a filter, or what was selected',
        description:
          `Up to ${maxBulk.toLocaleString('en')} features, fixed when it starts. Up to 500 are changed when it is answered, more in the ` +
          'background: ask for it by its id. A feature that somebody removes or changes meanwhile is left as it is, unless ' +
          'other fields were changed. Sent again with the same id it happens once.',
        tags,
        params: ofMap,
        body: wish.extend({
          id: changeId.meta({ description: 'Chosen by the sender, such as a random UUID' }),
          count: z.number().int().min(1).optional().meta({
            description: 'How many features its sender has seen to be meant: another number is a 409',
          }),
        }),
        response: { 200: bulkChange },
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      const { person, body } = request
      const signal = disconnectSignal(reply)
      const { id, count, kind, patch } = body
      refuseSample(mapId)
      // What is there already is not looked for again.
      const isKnown = (await readBulkRow(database.read, mapId, id)) !== undefined
      const meant = isKnown ? { items: [], kinds: {} } : await readMeant({ mapId, signal }, body)
      await startBulkChange(database, { mapId, person, id }, { kind, patch }, { meant, count })
      return answer(mapId, id, reply)
    },
  )

  app.post(
    `${path}/preview`,
    {
      config: { access: 'editor', onlyReads: true },
      bodyLimit,
      schema: {
        summary: 'What a change of many features would do; nothing is changed',
        tags,
        params: ofMap,
        body: wish,
        response: { 200: bulkPreview },
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      const { body } = request
      const signal = disconnectSignal(reply)
      const meant = await readMeant({ mapId, signal }, body)
      if (meant.items.length > maxBulk) throw tooMany()
      return previewBulkChange(database, mapId, body, meant, signal)
    },
  )

  app.get(
    `${path}/:id`,
    {
      config: { access: 'staff' },
      schema: {
        summary: 'How far a change of many features is, and what it did',
        tags,
        params: ofChange,
        response: { 200: bulkChange },
      },
    },
    async (request, reply) => {
      forOnePerson(reply)
      return answer(request.params.mapId, request.params.id, reply)
    },
  )

  app.post(
    `${path}/:id/cancel`,
    {
      config,
      bodyLimit: 1024,
      schema: {
        summary: 'Stop a change of many features',
        description: 'What was changed until then stays, and can be taken back.',
        tags,
        params: ofChange,
        response: { 200: bulkChange },
      },
    },
    async (request, reply) => {
      const { mapId, id } = request.params
      await cancelBulkChange(database, mapId, id)
      return answer(mapId, id, reply)
    },
  )

  app.post(
    `${path}/:id/undo`,
    {
      config,
      bodyLimit: 1024,
      schema: {
        summary: 'Take a change of many features back',
        description:
          'A change of many features, too, with the id that its sender gives it. Features that somebody has changed since stay as they are.',
        tags,
        params: ofChange,
        body: z.strictObject({ id: changeId.meta({ description: 'Names the change that takes back' }) }),
        response: { 200: bulkChange },
      },
    },
    async (request, reply) => {
      const { mapId, id: undoes } = request.params
      const { person } = request
      const { id } = request.body
      await undoBulkChange(database, { mapId, person, id, undoes })
      return answer(mapId, id, reply)
    },
  )
  done()

  function readMeant(asker: QueueClient, said: Wish): Promise<Meant> {
    const { kind, patch, filter, ids, except = [] } = said
    if ((filter === undefined) === (ids === undefined))
      throw badBody('filter', 'or ids must say which features are meant, and not both')
    if (ids && except.length > 0) throw badBody('except', 'goes with a filter alone')
    if ((kind === 'change') !== (patch !== undefined))
      throw badBody('patch', kind === 'change' ? 'must say what changes' : 'goes with a change alone')
    if (ids) return readMeantByIds(database, asker.mapId, ids)
    return readMeantByFilter(database, asker, filterInSight(filter as FeatureFilter, 'everything'), except)
  }

  async function answer(mapId: string, id: string, reply: FastifyReply): Promise<BulkChange> {
    const row = await readBulkRow(database.read, mapId, id)
    if (!row) throw notFound(`Map ${mapId} has no bulk change ${id}.`)
    return {
      id,
      action: row.action,
      undoes: row.undoes,
      state: row.state,
      kinds: JSON.parse(row.kinds),
      total: row.total,
      changed: row.changed,
      same: row.same,
      left: row.left_count,
      leftFeatures: await readLeft(database.read, mapId, id, mostLeft),
      startedAt: new Date(row.started_at).toISOString(),
      canUndo: await canUndo(row, disconnectSignal(reply)),
      finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    }
  }

  async function canUndo({ map_id: mapId, id, state, changed }: BulkChangesTable, signal: AbortSignal) {
    if (state === 'running' || changed === 0) return false
    try {
      return await database.readInWorker({ mapId, signal }, (read) => isAnyAsLeft(read, mapId, id))
    } catch (error) {
      // The change is done, whether or not this can be answered now. Undoing it decides.
      if (error instanceof NotAnsweredError) return true
      throw error
    }
  }
}

const badBody = (name: string, message: string) =>
  new ProblemError(400, `${name}: ${message}`, [{ in: 'body', name, message }])

const tooMany = () => badBody('filter', `means more than ${maxBulk.toLocaleString('en')} features; narrow it`)
