import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { beforeAll, expect, it } from 'vitest'
import { runBackup, runRestore } from '#test/databases/backups.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { s3Credentials, startS3Server } from '#test/databases/s3-server.ts'
import { aPdf, aPhoto, filesBelow, sha256Of } from '#test/imports/file-bytes.ts'
import { startFiles } from '#test/server/files.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { openS3Store } from '../blob-stores/s3-store.ts'
import { checkFiles } from './file-archive.ts'

let photo: Buffer
beforeAll(async () => {
  photo = await aPhoto()
})

onEachEngine('photos and documents', (createDatabase, { engine }) => {
  async function filled() {
    const database = await createDatabase()
    const files = await startFiles(database)
    const [one, deed] = [await files.add(photo), await files.add(aPdf())]
    await files.app.close()
    return { database, one, deed, file: join(database.location.dataDirectory, 'a.backup.gz') }
  }
  async function bytesOf(database: TestDatabase, id: string) {
    await using app = await startTestApp(database)
    const headers = await signIn(database, ['editor:oak-hills'], {
      id: randomUUID(),
      name: 'Grace Whitfield',
    })
    return (await app.get(`/api/maps/oak-hills/files/${id}/original`, headers)).rawPayload
  }
  const folderOf = (database: TestDatabase) => join(database.location.dataDirectory, 'files')

  it('are backed up and restored with the rows', async () => {
    const { database, one, deed, file } = await filled()
    const backup = await runBackup(database.location, file, '--with-files')
    expect(backup.output).toContain(`4 files (1 MB) backed up: ${file}.files.tar`)
    expect(backup.code).toBe(0)
    expect(statSync(`${file}.files.tar`).mode & 0o777).toBe(0o600)
    expect(await runRestore(database.location, file, '--check', '--with-files')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${file}.files.tar is complete: 4 files.`),
    })
    const other = await createDatabase()
    const restored = await runRestore(other.location, file, '--with-files')
    expect(restored.output).toContain(`4 files written to ${folderOf(other)}.`)
    expect(filesBelow(folderOf(other))).toEqual(filesBelow(folderOf(database)))
    expect((await bytesOf(other, one.id)).equals(photo)).toBe(true)
    expect((await bytesOf(other, deed.id)).equals(aPdf())).toBe(true)
  })

  it('a backup without files reports their number, and a restore names missing files', async () => {
    const { database, file, deed } = await filled()
    const backup = await runBackup(database.location, file)
    expect(backup.output).toContain(`4 files not included. Copy them from ${folderOf(database)}`)
    const other = await createDatabase()
    const restored = await runRestore(other.location, file)
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringContaining('4 files are missing: oak-hills/'),
    })
    expect(restored.output).toContain(`oak-hills/${sha256Of(aPdf())}`)
    const sha256 = sha256Of(aPdf())
    writeFileSync(
      join(folderOf(database), 'oak-hills', sha256.slice(0, 2), sha256.slice(2, 4), sha256),
      'garbled',
    )
    const again = await runBackup(database.location, file, '--force', '--with-files')
    expect(again.code).toBe(1)
    expect(again.output).toContain('3 files (1 MB) backed up')
    expect(again.output).toContain(`1 file is missing: oak-hills/${sha256}.`)
    expect(deed.kind).toBe('pdf')
  })

  if (engine === 'postgres') return

  it('are rejected if they are damaged, truncated or from another backup', async () => {
    const { database, file } = await filled()
    await runBackup(database.location, file, '--with-files')
    const archive = `${file}.files.tar`
    const whole = readFileSync(archive)
    const damaged = Buffer.from(whole)
    damaged.write('Deed of Lot 5', damaged.indexOf('Deed of Lot 4'))
    const refusals = [
      [damaged, /damaged or was modified: oak-hills\/[0-9a-f]{64} in it has changed/],
      [whole.subarray(0, whole.length / 2), /incomplete/],
      [whole.subarray(0, 0), /incomplete/],
      [Buffer.from('no archive at all'.repeat(100)), /or not an archive of files/],
      [null, /a\.backup\.gz\.files\.tar cannot be restored: cannot be read: ENOENT/],
    ] as const
    for (const [bytes, words] of refusals) {
      if (bytes) writeFileSync(archive, bytes)
      else rmSync(archive)
      await expect(checkFiles(archive)).rejects.toThrow(words)
      await expect(checkFiles(archive)).rejects.toThrow('Nothing was changed.')
    }
    const other = await createDatabase()
    const restore = async (bytes: Buffer, words: RegExp) => {
      writeFileSync(archive, bytes)
      expect(await runRestore(other.location, file, '--with-files')).toMatchObject({
        code: 1,
        output: expect.stringMatching(words),
      })
      expect(await other.read.selectFrom('maps').selectAll().execute()).toEqual([])
      expect(existsSync(folderOf(other))).toBe(false)
    }
    await restore(damaged, /damaged or was modified.*Nothing was changed/)
    const none = pack()
    none.entry({ name: 'end.json' }, '{"files":0}')
    none.finalize()
    await restore(await buffer(none), /belongs to another backup.*4 files are missing: oak-hills\//)
  })

  it('move from disk to an S3 store and back', async () => {
    await using server = await startS3Server()
    const { database, one, file } = await filled()
    await runBackup(database.location, file, '--with-files')
    const settings = {
      FILE_STORE_URL: server.url,
      FILE_STORE_REGION: s3Credentials.region,
      FILE_STORE_KEY_ID: s3Credentials.keyId,
      FILE_STORE_SECRET: s3Credentials.secret,
    }
    const other = await createDatabase()
    const restored = await runRestore.with(settings)(other.location, file, '--with-files')
    expect(restored.output).toContain(`4 files written to ${server.url}.`)
    expect(restored.output).not.toContain(s3Credentials.secret)
    expect([...server.objects.keys()].toSorted()).toEqual(filesBelow(folderOf(database)))
    const files = await startFilesIn(other, server.url)
    expect((await files(one.id)).equals(photo)).toBe(true)

    const back = `${file}.back`
    expect(await runBackup.with(settings)(other.location, back, '--with-files')).toMatchObject({ code: 0 })
    const third = await createDatabase()
    await runRestore(third.location, back, '--with-files')
    expect((await bytesOf(third, one.id)).equals(photo)).toBe(true)
  })

  async function startFilesIn(database: TestDatabase, url: string) {
    const store = openS3Store({ url, ...s3Credentials })
    const headers = await signIn(database, ['editor:oak-hills'], { id: 'ann', name: 'Ann' })
    return async (id: string) => {
      await using app = await startTestApp(database, { store })
      return (await app.get(`/api/maps/oak-hills/files/${id}/original`, headers)).rawPayload
    }
  }
})
