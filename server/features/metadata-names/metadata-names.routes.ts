import { setTimeout as waitFor } from 'node:timers/promises'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  type MetadataName,
  type MetadataNames,
  metadataNames,
} from '#domain/features/metadata-names.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { countNamesAfter, readMetadataState, readStoredNames, storeNames } from './metadata-names.queries.ts'

export const metadataNameRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  const counter = startNameCounter(database)
  app.addHook('onClose', () => counter.close())

  app.get('/api/maps/:mapId/metadata-names', {
    config: { access: 'staff' },
    schema: {
      summary: 'List the metadata names of a map, with feature counts',
      description:
        'The 500 most frequent names. After a large import they are counted in the background: until then, ' +
        '`isComplete` is false and the response has the names found so far. Try again later.',
      tags: ['maps'],
      params: z.object({ mapId }),
      response: { 200: metadataNames },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      forOnePerson(reply)
      return counter.namesOf(mapId)
    },
  })
  done()
}

/** A request waits at most this long: the response has the names so far, and the page requests again. */
const maxWaitMs = 1_000

const maxNames = 500
const maxNamesCounted = 20_000

type NameCounter = {
  /** Names that were counted before, or as many as can be counted in one second. */
  namesOf(mapId: string): Promise<MetadataNames>
  close(): Promise<void>
}

/** Counts names in parts, in a worker, one map at a time. Stores the result until an import changes it. */
function startNameCounter(database: Database): NameCounter {
  type Counting = { counts: Map<string, number>; ended: Promise<unknown> }
  const underWay = new Map<string, Counting>()
  let turn: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  async function count(mapId: string, counts: Map<string, number>) {
    // Read before the first feature: a concurrent import changes the state.
    const state = await readMetadataState(database, mapId)
    let next: string | null = ''
    while (next !== null) {
      const part = await countNamesAfter(database, { mapId, signal: closing.signal }, next)
      for (const { name, features } of part.names)
        if (counts.has(name) || counts.size < maxNamesCounted)
          counts.set(name, (counts.get(name) ?? 0) + features)
      next = part.next
    }
    await storeNames(database, mapId, state, listed(counts))
  }

  function begin(mapId: string): Counting {
    const counts = new Map<string, number>()
    const ended = turn.then(() => count(mapId, counts)).finally(() => underWay.delete(mapId))
    turn = ended.catch(() => {})
    const counting = { counts, ended }
    underWay.set(mapId, counting)
    return counting
  }

  return {
    async namesOf(mapId) {
      const stored = await readStoredNames(database, mapId, await readMetadataState(database, mapId))
      if (stored) return { items: stored, isComplete: true }
      const { counts, ended } = underWay.get(mapId) ?? begin(mapId)
      const timeout = new AbortController()
      const isComplete = await Promise.race([
        ended.then(() => true),
        waitFor(maxWaitMs, false, { signal: timeout.signal, ref: false }),
      ])
      timeout.abort()
      return { items: listed(counts), isComplete }
    },
    async close() {
      closing.abort()
      await turn
    },
  }
}

function listed(counts: ReadonlyMap<string, number>): MetadataName[] {
  const collator = new Intl.Collator('en', { numeric: true })
  return Array.from(counts, ([name, features]) => ({ name, features }))
    .sort((one, other) => other.features - one.features)
    .slice(0, maxNames)
    .sort((one, other) => collator.compare(one.name, other.name))
}
