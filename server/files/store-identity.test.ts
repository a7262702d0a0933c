import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { s3Credentials, startS3Server } from '#test/databases/s3-server.ts'
import { runServer, settingsOf } from '#test/server/server-process.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { openDiskStore, readBytes, storeIdKey } from '../blob-stores/blob-store.ts'
import { openS3Store } from '../blob-stores/s3-store.ts'
import { openDatabase } from '../database/open-database.ts'
import { removeUnusedFiles } from './remove-unused-files.ts'
import { requireOwnStore } from './store-identity.ts'

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'poa-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

onEachEngine('the id of a file store', (createDatabase) => {
  it('is stored at the first start, and accepts the same store afterwards', async () => {
    const database = await createDatabase()
    const store = openDiskStore(emptyFolder())
    await requireOwnStore(database, store)
    await requireOwnStore(database, store)
    expect(String(await readBytes(store, storeIdKey))).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is one id when several servers start at once with a shared store', async () => {
    const database = await createDatabase()
    const other = await openDatabase(database.location)
    const folder = emptyFolder()
    const [one, two] = [openDiskStore(folder), openDiskStore(folder)]
    await Promise.all([requireOwnStore(database, one), requireOwnStore(other, two)])
    await other.close()
  })

  it('rejects the store of a second server that has its own folder', async () => {
    const database = await createDatabase()
    await requireOwnStore(database, openDiskStore(emptyFolder()))
    const own = openDiskStore(emptyFolder())
    await expect(requireOwnStore(database, own)).rejects.toThrow(
      /does not belong to this database: it has no id/,
    )
  })

  it('rejects the store of another database, and accepts it with the id that the message names', async () => {
    const database = await createDatabase()
    await requireOwnStore(database, openDiskStore(emptyFolder()))
    const folder = emptyFolder()
    writeFileSync(join(folder, storeIdKey), 'another')
    const store = openDiskStore(folder)
    const error: Error = await requireOwnStore(database, store).then(
      () => new Error('accepted'),
      (error) => error,
    )
    const [, id = ''] = /its id is another.* write (\S+) into/.exec(error.message) ?? []
    writeFileSync(join(folder, storeIdKey), `${id}\n`)
    await requireOwnStore(database, store)
  })

  it('is adopted from the store by a database that was just restored', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, storeIdKey), 'from-before')
    const database = await createDatabase()
    await requireOwnStore(database, openDiskStore(folder))
    await expect(requireOwnStore(database, openDiskStore(emptyFolder()))).rejects.toThrow('from-before')
  })

  it('works with a store that speaks S3, and survives its cleanup', async () => {
    await using server = await startS3Server()
    const database = await createDatabase()
    const store = openS3Store({ url: server.url, ...s3Credentials })
    await requireOwnStore(database, store)
    await removeUnusedFiles(database, store, Date.now() + 365 * 86_400_000)
    expect([...server.objects.keys()]).toEqual([storeIdKey])
  })

  it('prevents the start of a server with the wrong store, and is reported by a running one', async () => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    expect(await app.getJson('/health/ready')).toEqual({ status: 'ok' })
    await app.store.put(storeIdKey, Buffer.from('another'))
    expect(expectProblem(await app.get('/health/ready'), 503).detail).toContain(
      'does not belong to this database',
    )

    const folder = emptyFolder()
    const { DATA_DIR, ...settings } = settingsOf(database.location)
    if (settings.DATABASE_URL === undefined) return
    const server = runServer({ ...settings, DATA_DIR: folder })
    expect(await server.exited).toBe(1)
    expect(server.output()).toContain('Servers that share a database must share a file store')
  })
})
