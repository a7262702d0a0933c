import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  type BulkChange,
  bulkChange,
  bulkOperation,
  bulkPreview,
} from '#domain/features/bulk-change.schema.ts'
import { maxBulk } from '#domain/features/bulk-change.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import type { BulkChangesTable } from '../../database/tables.ts'
import { NotAnsweredError } from '../../domain-error.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { notFound } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import { cancelBulkChange, startBulkChange, undoBulkChange } from './bulk-changes.commands.ts'
import { isAnyUnchangedSince, readBulkRow, readSkipped, type Selected } from './bulk-changes.queries.ts'
import { previewBulkChange } from './bulk-preview.ts'
import { badBody, selectFeatures, selection } from './select-features.ts'

const bodyLimit = 2 * 1024 * 1024
const maxSkipped = 20

const config = { access: 'editor' } as const
const tags = ['features']
const path = '/api/maps/:mapId/bulk-changes'
const mapParams = z.object({ mapId })
const changeParams = z.object({ mapId, id: changeId })

const operation = z.strictObject({ ...bulkOperation, ...selection })
type Operation = z.infer<typeof operation>

export const bulkChangeRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post(path, {
    config,
    bodyLimit,
    schema: {
      summary: 'Change or remove many features',
      description:
        `Up to ${formatNumber(maxBulk)} features, selected when the change starts. Up to 500 are changed before the response, more in the ` +
        'background: poll the state by its id. Skips features that are removed, or whose same fields change, ' +
        'in the meantime. Repeating the request with the same id has no effect.',
      tags,
      params: mapParams,
      body: operation.extend({
        id: changeId.meta({ description: 'Set by the client, such as a random UUID' }),
        count: z.number().int().min(1).optional().meta({
          description: 'The number of features that you expect. Returns 409 if it differs now',
        }),
      }),
      response: { 200: bulkChange },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person, body } = request
      const signal = disconnectSignal(reply)
      const { id, count, kind, patch } = body
      refuseSample(mapId)
      const isRepeated = (await readBulkRow(database.read, mapId, id)) !== undefined
      const selected = isRepeated ? { items: [], kinds: {} } : await readSelected({ mapId, signal }, body)
      await startBulkChange(database, { mapId, person, id }, { kind, patch }, { selected, count })
      return answer(mapId, id, reply)
    },
  })

  app.post(`${path}/preview`, {
    config: { access: 'editor', onlyReads: true },
    bodyLimit,
    schema: {
      summary: 'Preview a bulk change',
      tags,
      params: mapParams,
      body: operation,
      response: { 200: bulkPreview },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { body } = request
      const signal = disconnectSignal(reply)
      const selected = await readSelected({ mapId, signal }, body)
      if (selected.items.length > maxBulk) throw tooMany()
      return previewBulkChange(database, mapId, body, selected, signal)
    },
  })

  app.get(`${path}/:id`, {
    config: { access: 'staff' },
    schema: {
      summary: 'Get the progress and result of a bulk change',
      tags,
      params: changeParams,
      response: { 200: bulkChange },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return answer(request.params.mapId, request.params.id, reply)
    },
  })

  app.post(`${path}/:id/cancel`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Cancel a bulk change',
      description: 'Changes made so far are not reverted. You can undo them.',
      tags,
      params: changeParams,
      response: { 200: bulkChange },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      await cancelBulkChange(database, mapId, id)
      return answer(mapId, id, reply)
    },
  })

  app.post(`${path}/:id/undo`, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Undo a bulk change',
      description:
        'Starts another bulk change with the id in the body. Skips features that have changed since.',
      tags,
      params: changeParams,
      body: z.strictObject({
        id: changeId.meta({ description: 'Id of the new change that undoes the other' }),
      }),
      response: { 200: bulkChange },
    },
    async handler(request, reply) {
      const { mapId, id: undoes } = request.params
      const { person } = request
      const { id } = request.body
      await undoBulkChange(database, { mapId, person, id, undoes })
      return answer(mapId, id, reply)
    },
  })
  done()

  async function readSelected(caller: QueueClient, input: Operation): Promise<Selected> {
    const { kind, patch } = input
    if ((kind === 'change') !== (patch !== undefined))
      throw badBody('patch', kind === 'change' ? 'is required' : 'is only for changes')
    return selectFeatures(database, caller, input)
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
      leftFeatures: await readSkipped(database.read, mapId, id, maxSkipped),
      startedAt: new Date(row.started_at).toISOString(),
      canUndo: await canUndo(row, disconnectSignal(reply)),
      finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    }
  }

  async function canUndo({ map_id: mapId, id, state, changed }: BulkChangesTable, signal: AbortSignal) {
    if (state === 'running' || changed === 0) return false
    try {
      return await database.readInWorker({ mapId, signal }, (read) => isAnyUnchangedSince(read, mapId, id))
    } catch (error) {
      // The undo itself checks again.
      if (error instanceof NotAnsweredError) return true
      throw error
    }
  }
}

const tooMany = () => badBody('filter', `matches more than ${formatNumber(maxBulk)} features. Narrow it`)
