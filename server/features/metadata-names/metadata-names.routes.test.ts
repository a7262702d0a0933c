import { expect, it } from 'vitest'
import type { MetadataNames } from '#domain/features/metadata-names.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { aQueueClient } from '#test/databases/endless-query.ts'
import { anAsset, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { importFeatures } from '../../imports/import-features.ts'
import { undoImport } from '../../imports/publishing/undo-import.ts'
import { countNamesAfter } from './metadata-names.queries.ts'

const address = '/api/maps/oak-hills/metadata-names'

onEachEngine('names of the metadata of a map', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    await storeClient(database, 'closed', { archived: true })
    const app = await startTestApp(database)
    const headers = await signIn(database, ['editor:oak-hills', 'editor:closed', 'editor:nowhere'])
    const names = async (): Promise<MetadataNames['items']> => {
      const answer = await app.get(address, headers)
      expect(answer.statusCode, answer.body).toBe(200)
      const { items, isComplete } = answer.json<MetadataNames>()
      return isComplete ? items : names()
    }
    return { database, app, headers, names }
  }

  it('have the number of features with a value, in order', async () => {
    const { database, names } = await start()
    const metadata = (...pairs: [string, string | number | boolean | null][]) =>
      pairs.map(([name, value]) => ({ name, value }))
    await storeFeatures(database, [
      anAsset({ metadata: metadata(['Column 10', 'x'], ['Column 9', 0], ['flag', false], ['blank', '']) }),
      aParcel({ metadata: metadata(['flag', true], ['it\'s "水" é', 1.5], ['nothing', null]) }),
      anAsset({ mapId: 'elm-park', metadata: metadata(['elsewhere', 1]) }),
    ])
    expect(await names()).toEqual([
      { name: 'Column 9', features: 1 },
      { name: 'Column 10', features: 1 },
      { name: 'flag', features: 2 },
      { name: 'it\'s "水" é', features: 1 },
    ])
  })

  it('change with each import, and are counted once between imports', async () => {
    const { database, names } = await start()
    const file = (...rows: string[]) => inputOf(['id,lat,lng,Hydrant,Depth', ...rows].join('\n'))
    const options = { mapId: 'oak-hills', kind: 'asset', source: 'hydrants' } as const
    expect(await names()).toEqual([])
    const first = await importFeatures(database, file('1,34,-111,A,4', '2,34,-111,B,'), options)
    const once = [
      { name: 'Depth', features: 1 },
      { name: 'Hydrant', features: 2 },
      { name: 'id', features: 2 },
    ]
    expect(await names()).toEqual(once)
    const second = await importFeatures(database, file('1,34,-111,,5'), options)
    expect(await names()).toEqual([
      { name: 'Depth', features: 1 },
      { name: 'Hydrant', features: 1 },
      { name: 'id', features: 2 },
    ])
    await undoImport(database, { importId: second.importId ?? '', mapId: 'oak-hills' })
    expect(await names()).toEqual(once)
    await undoImport(database, { importId: first.importId ?? '', mapId: 'oak-hills' })
    expect(await names()).toEqual([])
    const stored = [{ name: 'as kept', features: 7 }]
    await database.write((transaction) =>
      transaction
        .updateTable('metadata_names')
        .set({ names: JSON.stringify(stored) })
        .execute(),
    )
    expect(await names()).toEqual(stored)
  })

  it('are counted in parts: no query scans a large map', async () => {
    const { database, names } = await start()
    const many = Array.from({ length: 4_500 }, (_, at) =>
      anAsset({ id: `a${at}`, metadata: [{ name: at % 2 ? 'odd' : 'even', value: at }] }),
    )
    await storeFeatures(database, many)
    const parts = []
    const caller = aQueueClient('oak-hills')
    for (let next: string | null = ''; next !== null; ) {
      const part = await countNamesAfter(database, caller, next)
      parts.push(part.names.reduce((sum, { features }) => sum + features, 0))
      next = part.next
    }
    expect(parts).toEqual([2_000, 2_000, 500])
    for (const items of await Promise.all([names(), names(), names()]))
      expect(items).toEqual([
        { name: 'even', features: 2_250 },
        { name: 'odd', features: 2_250 },
      ])
  })

  it('are limited to the most frequent ones', async () => {
    const { database, names } = await start()
    const many = Array.from({ length: 600 }, (_, at) =>
      anAsset({
        metadata: [
          { name: `column ${at}`, value: 1 },
          { name: 'Height', value: 1 },
        ],
      }),
    )
    await storeFeatures(database, many)
    const items = await names()
    expect(items).toHaveLength(500)
    expect(items.at(-1)).toEqual({ name: 'Height', features: 600 })
  })

  it('are for staff of an open map', async () => {
    const { database, app, headers } = await start()
    expectProblem(await app.get(address), 401)
    expectProblem(await app.get(address, await signIn(database, ['manager:elm-park'])), 403)
    for (const mapId of ['closed', 'nowhere'])
      expectProblem(await app.get(`/api/maps/${mapId}/metadata-names`, headers), 404)
    const answer = await app.get(address, headers)
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })
})
