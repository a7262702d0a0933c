import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { maxChangedSince, type ParcelsAsOf, parcelsAsOf } from '#domain/features/parcels-as-of.schema.ts'
import { maxShapes } from '#domain/features/shapes.schema.ts'
import { partsOfBox } from '#domain/geometry/box.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { instant, mapId } from '#domain/values/common.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { localDay } from '#domain/values/time-zones.ts'
import type { Database, Extent, ReadDatabase } from '../../database/database.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { boxQuery } from '../../http/page-parameters.ts'
import { ProblemError } from '../../http/problem.ts'
import { readTimeZone } from '../../maps/time-zone.queries.ts'
import { measureShapesIn, readShapesIn } from '../changes/parcel-at.queries.ts'
import { readStateAt } from './feature-history.ts'
import { readChangedSince, readParcelsRemovedSince } from './parcels-as-of.queries.ts'

const incomplete: ParcelsAsOf = { items: [], added: 0, isComplete: false }

export const parcelsAsOfRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/parcels-as-of', {
    config: { access: 'staff' },
    schema: {
      summary: 'List parcels as they were at an earlier time',
      description:
        `Names and shapes, from the history. At most ${maxShapes.count} parcels. Parcels removed longer ago than removed ` +
        'features can be restored are missing.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject({
        at: instant.meta({ description: 'Not after the current day' }),
        bbox: boxQuery,
      }),
      response: { 200: parcelsAsOf },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { at, bbox } = request.query
      forOnePerson(reply)
      await requirePast(mapId, at)
      const caller = { mapId, signal: disconnectSignal(reply) }
      return database.readInWorker(caller, (read) =>
        readParcelsAsOf(read, { mapId, boxes: partsOfBox(bbox), at: Date.parse(at) }),
      )
    },
  })
  done()

  /** Any time of the current day is accepted: its end is the current land. */
  async function requirePast(mapId: string, at: string) {
    const zone = await readTimeZone(database, mapId)
    if (localDay(Date.parse(at), zone) <= localDay(Date.now(), zone)) return
    const message = 'must not be in the future'
    throw new ProblemError(400, `at: ${message}`, [{ in: 'query', name: 'at', message }])
  }

  async function readParcelsAsOf(
    read: ReadDatabase,
    { mapId, boxes, at }: { mapId: string; boxes: readonly Extent[]; at: number },
  ): Promise<ParcelsAsOf> {
    const current = new Map<string, Awaited<ReturnType<typeof readShapesIn>>[number]>()
    for (const box of boxes) {
      const where = { mapId, kind: 'parcel' as const, box }
      const { count, characters } = await measureShapesIn(database, read, where)
      if (count > maxShapes.count || characters > maxShapes.characters) return incomplete
      for (const row of await readShapesIn(database, read, where)) current.set(row.id, row)
    }
    const changed = await readChangedSince(read, mapId, [...current.keys()], at)
    const removed = await readParcelsRemovedSince(read, mapId, at)
    if (changed.size + removed.length > maxChangedSince) return incomplete
    const items: ParcelsAsOf['items'] = []
    let added = 0
    for (const { id, name, geometry: text, created_at: createdAt } of current.values()) {
      const geometry = JSON.parse(text)
      if (!changed.has(id)) {
        if (createdAt <= at) items.push({ id, name, geometry, since: 'same' })
        else added++
        continue
      }
      const then = await readStateAt(read, mapId, { id, createdAt }, at)
      if (then?.kind !== 'parcel') added++
      else {
        const isSame = then.name === name && isEqual(then.geometry, geometry)
        items.push({ id, name: then.name, geometry: then.geometry, since: isSame ? 'same' : 'changed' })
      }
    }
    for (const { id, createdAt } of removed) {
      const then = current.has(id) ? undefined : await readStateAt(read, mapId, { id, createdAt }, at)
      if (then?.kind !== 'parcel' || !boxes.some((box) => meets(extentOfGeometry(then.geometry), box)))
        continue
      items.push({ id, name: then.name, geometry: then.geometry, since: 'removed' })
    }
    return { items, added, isComplete: true }
  }
}

const meets = (one: Extent, other: Extent) =>
  one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south
