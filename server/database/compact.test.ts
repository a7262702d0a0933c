import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manyPoints } from '#test/databases/backups.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { startNode } from '#test/server/processes.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'
import { importFeatures } from '../imports/import-features.ts'
import { undoImport } from '../imports/publishing/undo-import.ts'

async function compact({ location }: TestDatabase, ...args: string[]) {
  const command = startNode('server/database/compact.cli.ts', args, {
    env: { ...process.env, DATABASE_URL: '', ...settingsOf(location) },
  })
  return { code: await command.exited, output: command.output() }
}

onEachEngine('npm run compact', (createDatabase, { engine }) => {
  it('frees space while the server runs, and prints how much', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, manyPoints(3_000))
    await database.write((transaction) => transaction.deleteFrom('features').execute())
    await database.maintenance.tidyUp(['features'])
    await using server = await startServer(settingsOf(database.location))
    const clients = async () => (await getOnce(`${server.url}/api/clients`)).body
    const before = await clients()
    const { code, output } = await compact(database)
    expect(code, output).toBe(0)
    const [, from = '', to = ''] =
      /: VACUUM.*, [\d.]+ s: ([\d,]+) bytes before, ([\d,]+) bytes after\.\n$/.exec(output) ?? []
    const [bytesBefore = 0, bytesAfter = 0] = [from, to].map((text) => Number(text.replaceAll(',', '')))
    expect(bytesAfter).toBeLessThan(engine === 'sqlite' ? bytesBefore / 2 : bytesBefore)
    expect(bytesAfter).toBeGreaterThan(0)
    expect(await clients()).toBe(before)
    await storeClient(database, 'elm-park')
    expect(await clients()).toContain('elm-park')
  })

  it('shows help, and rejects other arguments', async () => {
    const database = await createDatabase()
    expect(await compact(database, '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('VACUUM (ANALYZE)'),
    })
    expect(await compact(database, '--all')).toEqual({
      code: 2,
      output: "Unknown option '--all'. See --help.\n",
    })
  })
})

onEngine('sqlite', 'the write-ahead log', (createDatabase) => {
  it('is empty after a large import, and after its undo', async () => {
    const database = await createDatabase()
    const logBytes = () => statSync(join(database.location.dataDirectory, 'poa.sqlite-wal')).size
    const rows = Array.from({ length: 3_000 }, (_, row) => `${row},H ${row},34,-111`)
    const { importId } = await importFeatures(database, inputOf(`id,name,lat,lng\n${rows.join('\n')}`), {
      mapId: 'oak-hills',
      kind: 'asset',
      source: 'hydrants',
      client: { name: 'Oak Hills', location: '' },
    })
    expect(logBytes()).toBe(0)
    await undoImport(database, { importId: importId ?? '' })
    expect(logBytes()).toBe(0)
  })
})
