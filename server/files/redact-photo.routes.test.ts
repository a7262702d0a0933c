import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import type { FileOfFeature, FilesOfFeature } from '#domain/files/file.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const map = '/api/maps/oak-hills'
const half = { x: 0, y: 0, width: 0.5, height: 1 }

onEachEngine('redacting photos', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  const photoId = randomUUID()
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [anIncident({ id: 'fire' }), anIncident({ id: 'smoke' })])
    app = await startTestApp(database)
    rosa = await signIn(database, ['editor:oak-hills'])
    const white = { width: 60, height: 40, channels: 3, background: '#fff' } as const
    const bytes = await sharp({ create: white }).jpeg().toBuffer()
    const upload = { id: photoId, featureId: 'fire', name: 'face.jpg', size: bytes.length }
    await send('POST', '/uploads', upload)
    const sent = await app.send({
      method: 'PUT',
      url: `${map}/uploads/${photoId}?offset=0`,
      headers: { ...rosa, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })
    expect(sent.statusCode, sent.body).toBe(200)
    await send('PATCH', `/files/${photoId}`, { isPublic: true, caption: 'At the gate' })
    return () => app.close()
  })

  const request = (method: string, path: string, payload?: object) =>
    app.send({
      method,
      url: `${map}${path}`,
      headers: { ...rosa, 'if-match': '*' },
      ...(payload && { payload }),
    })
  async function send<Body>(method: string, path: string, payload?: object): Promise<Body> {
    const response = await request(method, path, payload)
    expect(response.statusCode, response.body).toBeLessThan(300)
    return response.json()
  }
  const redact = (areas: object[], id: string = randomUUID(), of = photoId) =>
    request('POST', `/files/${of}/redact`, { id, areas })
  const filesOf = (feature: string) => send<FilesOfFeature>('GET', `/features/${feature}/files`)

  /** Brightness of a pixel, from 0 to 255, as a visitor sees it. */
  async function brightness(id: string, version: string, { left, top }: { left: number; top: number }) {
    const response = await app.get(`${map}/files/${id}/${version}`)
    expect(response.statusCode).toBe(200)
    const pixel = { left, top, width: 1, height: 1 }
    const [value = -1] = await sharp(response.rawPayload).extract(pixel).removeAlpha().raw().toBuffer()
    return value
  }

  it('saves a photo with black areas in its place, which everyone sees', async () => {
    const id = randomUUID()
    const redacted = await redact([half], id)
    expect(redacted.json()).toMatchObject({ id, isRedacted: true, isPublic: true, caption: 'At the gate' })
    for (const version of ['large', 'small']) {
      expect(await brightness(id, version, { left: 10, top: 20 })).toBeLessThan(10)
      expect(await brightness(id, version, { left: 50, top: 20 })).toBeGreaterThan(245)
    }
    const own = await request('GET', `/files/${id}/original`)
    const [value = -1] = await sharp(own.rawPayload)
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(value).toBeLessThan(10)
  })

  it('shows the original to staff only, at every address', async () => {
    const paths = ['large', 'small', 'original'].map((version) => `${map}/files/${photoId}/${version}`)
    const etag = (await app.get(paths[0] ?? '')).headers.etag
    await redact([half])
    for (const path of paths) {
      expectProblem(await app.get(path), 404)
      expectProblem(await app.get(path, { 'if-none-match': String(etag) }), 404)
      expect((await app.get(path, rosa)).statusCode).toBe(200)
    }
    const { items, removed } = (await app.get(`${map}/features/fire/files`)).json<FilesOfFeature>()
    expect([items.map(({ isRedacted }) => isRedacted), removed]).toEqual([[true], []])
    for (const path of [
      `${map}/features/fire`,
      `${map}/export?format=geojson&kinds=incident`,
      '/ogc/oak-hills/collections/incidents.points/items',
      `${map}/reports/similar?lat=34&lng=-111`,
      `${map}/incidents/fire/notes`,
    ])
      expect((await app.get(path)).body).not.toContain(photoId)
    const link = await send<{ id: string; address: string }>('POST', '/incidents/fire/work-links', {
      id: randomUUID(),
      name: 'Painters',
    })
    const headers = { 'work-key': link.address.split('#')[1] ?? '' }
    const ofLink = `${map}/work-links/${link.id}`
    expect((await app.get(ofLink, headers)).json().photos).toHaveLength(1)
    expectProblem(await app.get(`${ofLink}/photos/${photoId}/large`, headers), 404)
  })

  it('restores the original, by undo for the same readers, and from the removed files for staff', async () => {
    const before = (await filesOf('fire')).items
    const { id } = (await redact([half])).json<FileOfFeature>()
    const undone = await send<FileOfFeature>('POST', `/files/${id}/undo-redaction`)
    expect(undone).toMatchObject({ id: photoId, isPublic: true, isRedacted: false })
    expect((await filesOf('fire')).items).toEqual(
      before.map((file) => ({ ...file, version: undone.version })),
    )
    expect(await brightness(photoId, 'large', { left: 10, top: 20 })).toBeGreaterThan(245)
    expectProblem(await app.get(`${map}/files/${id}/large`), 404)
    expectProblem(await request('POST', `/files/${photoId}/undo-redaction`), 409)

    await redact([half])
    await send('POST', `/files/${photoId}/put-back`, {})
    expectProblem(await app.get(`${map}/files/${photoId}/large`), 404)
  })

  it('moves with its original when duplicates are merged and separated', async () => {
    await send('POST', '/incidents/fire/merge', { into: 'smoke' })
    const { id } = (await redact([half])).json<FileOfFeature>()
    expect((await filesOf('smoke')).items.map((file) => file.id)).toEqual([id])
    const undone = await request('POST', '/incidents/fire/undo-merge')
    expect(undone.statusCode, undone.body).toBe(204)
    const files = await filesOf('fire')
    expect([files.items, files.removed].map((list) => list.map((file) => file.id))).toEqual([[id], [photoId]])
  })

  it('redacts once, however often it is requested, and rejects other areas and files', async () => {
    const id = randomUUID()
    const bodies = [await redact([half], id), await redact([half], id)].map((response) => response.json())
    expect(bodies[0]).toEqual(bodies[1])
    expectProblem(await redact([]), 400)
    expectProblem(await redact([{ x: 0.6, y: 0, width: 0.5, height: 1 }], randomUUID(), id), 400)
    expectProblem(await redact([{ x: 0, y: 0, width: 0, height: 1 }], randomUUID(), id), 400)
    expectProblem(await redact([half], randomUUID(), randomUUID()), 404)
    expectProblem(await redact([half], randomUUID(), photoId), 404)
  })
})
