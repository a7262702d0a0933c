import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillDatabase, runBackup, runRestore } from '#test/databases/backups.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, point, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'

onEachEngine('a restore under a running server', (createDatabase) => {
  it('updates tiles, lists and open pages', async () => {
    const source = await createDatabase()
    await fillDatabase(source)
    await storeFeatures(source, [anAsset({ id: 'kept', mapId: 'sample', geometry: point(10, 50) })])
    const file = join(source.location.dataDirectory, 'one.backup.gz')
    await runBackup(source.location, file)

    const database = await createDatabase()
    await storeMap(database, 'sample')
    await storeMap(database, 'gone')
    await storeFeatures(database, [anAsset({ id: 'former', mapId: 'sample', geometry: point(10, 50) })])
    await using server = await startServer(settingsOf(database.location))
    const ask = async (path: string) => (await getOnce(`${server.url}/api/maps/${path}`)).body
    const tile = 'sample/tiles/4/8/5.mvt'
    expect(await ask(tile)).toContain('former')
    expect(await ask('sample/features')).toContain('former')
    const page = await openEvents(`${server.url}/api/events?map=sample`)
    const pageOfGone = await openEvents(`${server.url}/api/events?map=gone`)

    expect(await runRestore(database.location, file, '--replace')).toMatchObject({ code: 0 })
    for (const events of [page, pageOfGone]) await events.waitFor('database.restored')
    for (const path of [tile, 'sample/features']) {
      expect(await ask(path)).toContain('kept')
      expect(await ask(path)).not.toContain('former')
    }
    expect((await getOnce(`${server.url}/api/maps/gone/features`)).status).toBe(404)
  })
})

async function openEvents(url: string) {
  const { body } = await fetch(url)
  if (!body) throw new Error(`${url} has no body`)
  const chunks = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let text = ''
  const waitFor = async (wanted: string) => {
    while (!text.includes(wanted)) {
      const { value, done } = await chunks.next()
      if (done) throw new Error(`${url} ended without ${wanted}: ${text}`)
      text += value
    }
  }
  await waitFor('event: open')
  return { waitFor }
}
