import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { s3Credentials, startS3Server } from '#test/databases/s3-server.ts'
import { aPdf, aPhoto, sha256Of } from '#test/imports/file-bytes.ts'
import { startFiles } from '#test/server/files.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { openS3Store } from '../blob-stores/s3-store.ts'
import { removeUnusedFiles } from './remove-unused-files.ts'

const dayMs = 86_400_000
let photo: Buffer
beforeAll(async () => {
  photo = await aPhoto()
})

onEachEngine('files in an S3 store', (createDatabase) => {
  async function start() {
    const server = await startS3Server()
    const store = openS3Store({ url: server.url, ...s3Credentials })
    const files = await startFiles(await createDatabase(), { store })
    const close = async () => {
      await files.app.close()
      await server[Symbol.asyncDispose]()
    }
    return { server, store, files, stored: () => [...server.objects.keys()], [Symbol.asyncDispose]: close }
  }

  it('are added, read and deleted as on disk', async () => {
    await using opened = await start()
    const { files, store, stored } = opened
    const { id } = await files.add(photo, { pieceBytes: 500 })
    expect(stored()).toHaveLength(3)
    expect(stored().every((key) => /^oak-hills\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(key))).toBe(
      true,
    )
    expect((await files.get(id, 'original')).rawPayload.equals(photo)).toBe(true)
    expect((await files.get(id, 'small')).headers['content-type']).toBe('image/webp')
    expectProblem(await files.send(Buffer.from('MZ no photo')), 400)
    expect(stored()).toHaveLength(3)
    await files.remove(id)
    await removeUnusedFiles(files.database, store, Date.now() + 31 * dayMs)
    expect(stored()).toEqual([])
  })

  it('wait while the store is unreachable, without losing acknowledged files', async () => {
    await using opened = await start()
    const { files, server, stored } = opened
    const { id: shown } = await files.add(aPdf())
    const id = randomUUID()
    await files.begin({ id, featureId: 'pump', name: '', size: photo.length, sha256: sha256Of(photo) })
    await files.put(id, 0, photo.subarray(0, 300))
    const away = () => server.faults.push('busy', 'resets', 'busy')
    away()
    const refused = await files.put(id, 300, photo.subarray(300))
    expect(expectProblem(refused, 503).detail).toBe(
      'Cannot reach the store of photos and documents. No data was lost. Try again.',
    )
    expect(refused.headers['retry-after']).toBe('5')
    away()
    expectProblem(await files.get(shown, 'original'), 503)
    server.faults.push('busy')
    const ready = await files.app.get('/health/ready')
    expect(ready.statusCode).toBe(200)
    expect(ready.json().notes).toEqual([
      `Photos and documents are not available from ${server.url}: it returned 503 Please reduce your request rate.`,
    ])
    expect(ready.body).not.toContain(s3Credentials.secret)

    expect((await files.put(id, 300, photo.subarray(300))).json()).toMatchObject({ file: { id } })
    expect((await files.get(id, 'original')).rawPayload.equals(photo)).toBe(true)
    expect((await files.list()).items).toHaveLength(2)
    expect(stored()).toHaveLength(4)
    expect((await files.app.get('/health/ready')).json()).toEqual({ status: 'ok' })
  })

  it('leave the server ready while the store does not answer', async () => {
    await using server = await startS3Server()
    const app = await startTestApp(await createDatabase(), {
      store: openS3Store({ url: server.url, ...s3Credentials }),
    })
    server.faults.push('hangs')
    const ready = await app.get('/health/ready')
    expect(ready.statusCode).toBe(200)
    expect(ready.json().notes).toEqual([expect.stringMatching(/: it does not answer$/)])
  })
})
