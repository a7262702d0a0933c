import { randomUUID } from 'node:crypto'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { featureStatuses } from '#domain/definition/kinds.ts'
import { featureDetail } from '#domain/features/feature.schema.ts'
import {
  type FeatureToAdd,
  featureChanges,
  featureMergePatch,
  featureToAdd,
  maxOperations,
} from '#domain/features/feature-changes.schema.ts'
import { shapeCheck, shapeToCheck } from '#domain/features/shape-check.schema.ts'
import { changeId, featureId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { ProblemError } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import { undoChange } from '../history/undo.commands.ts'
import { readFeatureDetail } from '../rows/feature-detail.ts'
import type { Operation } from './change-context.ts'
import { changeFeature, changeFeatures, changeStatus, type Outcome } from './change-features.commands.ts'
import { checkShape } from './check-shape.ts'

/** 20,000 positions with all digits, and every field filled. */
const bodyLimit = 2 * 1024 * 1024
/** 500 features of ordinary size. The body is parsed and stored in one go. */
const bodyLimitOfMany = 4 * 1024 * 1024

const config = { access: 'editor' } as const
const tags = ['features']
const mapParams = z.object({ mapId })
const featureParams = z.object({ mapId, id: featureId })
const path = '/api/maps/:mapId/features'

const outcome = z.object({
  changeId,
  items: z.array(
    z.object({
      id: featureId,
      version: z.number().int().nullable().meta({ description: 'Null if the feature was removed' }),
    }),
  ),
})

export const featureChangeRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post(path, {
    config,
    bodyLimit,
    schema: {
      summary: 'Add a feature',
      description:
        'The client sets the id. A repeated request returns the existing feature; the same id with other values returns ' +
        '409. If omitted, the area of a parcel is set by its shape, and the parcel of an incident or asset by its ' +
        'location.',
      tags,
      params: mapParams,
      body: featureToAdd,
      response: { 201: featureDetail },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      refuseSample(mapId)
      const feature = ofThisMap(request.body, mapId)
      const change = { mapId, person, changeId: randomUUID() }
      const row = await changeFeature(database, change, { action: 'add', feature })
      reply.status(201).header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, 'everything')
    },
  })

  app.post('/api/maps/:mapId/shape-check', {
    config: { access: 'editor', onlyReads: true },
    bodyLimit,
    schema: {
      summary: 'Check a shape without saving it',
      description:
        'The comparison with neighboring parcels is limited to two seconds. If it was skipped, `notChecked` has the reason ' +
        'and neighbors and overlaps are empty. The shape can still be saved.',
      tags,
      params: mapParams,
      body: shapeToCheck,
      response: { 200: shapeCheck },
    },
    handler(request, reply) {
      const { mapId } = request.params
      return checkShape(database, { mapId, signal: disconnectSignal(reply) }, request.body)
    },
  })

  app.patch(`${path}/:id`, {
    config,
    bodyLimit,
    schema: {
      summary: 'Change a feature',
      description:
        'A merge patch (RFC 7396): omitted fields do not change, null clears them. The area of a parcel is set by its shape, ' +
        'and the parcel of an incident or asset by its location, unless you set a value; null makes them automatic ' +
        'again. Returns 412 with the current version as `current` if the feature has changed.',
      tags,
      consumes: ['application/merge-patch+json', 'application/json'],
      params: featureParams,
      headers: ifMatchHeader,
      body: featureMergePatch,
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      refuseSample(mapId)
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, changeId: randomUUID() }
      const row = await changeFeature(database, change, {
        action: 'change',
        id,
        isExpected,
        change: request.body,
      })
      reply.header('etag', etagOf(row.version))
      return readFeatureDetail(database, row, 'everything')
    },
  })

  app.delete(`${path}/:id`, {
    config,
    schema: {
      summary: 'Remove a feature from the map',
      description: 'It can be restored for 30 days.',
      tags,
      params: featureParams,
      headers: ifMatchHeader,
      response: { 200: outcome },
    },
    async handler(request) {
      const { mapId, id } = request.params
      const { person } = request
      refuseSample(mapId)
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, changeId: randomUUID() }
      const items = await changeFeatures(database, change, [{ action: 'remove', id, isExpected }])
      return toAnswer(change.changeId, items)
    },
  })

  app.post(`${path}/changes`, {
    config,
    bodyLimit: bodyLimitOfMany,
    schema: {
      summary: 'Add, change, and remove features in one transaction',
      description:
        `Up to ${maxOperations} operations, each with the expected version of its feature. If any feature has changed, returns ` +
        '412 with the changed features in `current.stale` (null if removed). Repeating the request with the ' +
        'same id has no effect.',
      tags,
      params: mapParams,
      body: featureChanges,
      response: { 200: outcome },
    },
    async handler(request) {
      const { mapId } = request.params
      const { person } = request
      refuseSample(mapId)
      const { id, items, land } = request.body
      const operations = items.map((item): Operation => {
        if (item.action === 'add') return { action: 'add', feature: ofThisMap(item.feature, mapId) }
        const isExpected = (version: number) => version === item.version
        return item.action === 'remove'
          ? { action: 'remove', id: item.id, isExpected }
          : { action: 'change', id: item.id, isExpected, change: item.change }
      })
      return toAnswer(id, await changeFeatures(database, { mapId, person, changeId: id, land }, operations))
    },
  })

  app.post('/api/maps/:mapId/changes/:changeId/undo', {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Undo a change to features',
      description:
        'Skips features that have changed since: `kept` has their ids. Any editor can undo any change.',
      tags,
      params: z.object({ mapId, changeId }),
      body: z.strictObject({
        id: changeId.meta({ description: 'Id of the new change that undoes the other' }),
      }),
      response: { 200: outcome.extend({ kept: z.array(featureId) }) },
    },
    async handler(request) {
      const { mapId, changeId: undoes } = request.params
      const { person } = request
      refuseSample(mapId)
      const { id } = request.body
      const { items, kept } = await undoChange(database, { mapId, person, changeId: id, undoes })
      return { ...toAnswer(id, items), kept }
    },
  })

  app.put('/api/maps/:mapId/features/:id/status', {
    config: { access: 'editor' },
    bodyLimit: 1024,
    schema: {
      summary: 'Resolve or reopen an incident, or set the status of an asset',
      description: 'Incidents are unresolved or resolved. Assets are operational, maintenance, or offline.',
      tags: ['features'],
      params: z.object({ mapId, id: featureId }),
      headers: ifMatchHeader,
      body: statusChange,
      response: { 200: featureDetail },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { status } = request.body
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, changeId: randomUUID() }
      const row = await changeStatus(database, change, { id, status, isExpected })
      reply.header('etag', etagOf(row.version))
      // Only staff can change a status.
      return readFeatureDetail(database, row, 'everything')
    },
  })
  done()
}

const toAnswer = (changeId: string, items: Outcome) => ({
  changeId,
  items: items.map(({ id, row }) => ({ id, version: row?.version ?? null })),
})

function ofThisMap(feature: FeatureToAdd, mapId: string): FeatureToAdd & { mapId: string } {
  if (feature.mapId === undefined || feature.mapId === mapId) return { ...feature, mapId }
  throw new ProblemError(400, 'mapId: must match the address', [
    { in: 'body', name: 'mapId', message: 'must match the address' },
  ])
}

/** Section 4 of the specification. The valid states depend on the kind of the feature; parcels have none. */
const statusChange = z.strictObject({ status: z.enum(featureStatuses) })
