import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FilesOfFeature, UploadState } from '#domain/files/file.schema.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { filesBelow, sha256Of } from '#test/imports/file-bytes.ts'
import { signIn } from './signed-in.ts'
import { startTestApp, type TestAppOptions } from './test-app.ts'

type Headers = Record<string, string>
type Sent = {
  id?: string
  name?: string
  featureId?: string
  maintenanceId?: string
  pieceBytes?: number
  headers?: Headers
  mapId?: string
}

/** Headers default to the editor Rosa. */
export async function startFiles(database: TestDatabase, options: TestAppOptions = {}) {
  for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
  await storeMap(database, 'sample')
  await storeFeatures(database, [
    anAsset({ id: 'pump', name: 'Pump' }),
    anAsset({ id: 'well', name: 'Well' }),
    anAsset({ id: 'pump', mapId: 'elm-park' }),
  ])
  const app = await startTestApp(database, options)
  const editor = ['editor:oak-hills', 'editor:elm-park']
  const rosa: Headers = await signIn(database, editor, { id: 'rosa', name: 'Rosa Delgado' })
  const grace: Headers = await signIn(database, editor, { id: 'grace', name: 'Grace Whitfield' })
  const pathOf = (mapId = 'oak-hills') => `/api/maps/${mapId}`

  const begin = (payload: Record<string, unknown>, headers = rosa, mapId?: string) =>
    app.send({ method: 'POST', url: `${pathOf(mapId)}/uploads`, headers, payload })
  const put = (id: string, offset: number, bytes: Uint8Array, headers = rosa, mapId?: string) =>
    app.send({
      method: 'PUT',
      url: `${pathOf(mapId)}/uploads/${id}?offset=${offset}`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(bytes),
    })
  /** Uploads all pieces; returns the last response. */
  async function send(bytes: Uint8Array, sent: Sent = {}) {
    const { id = randomUUID(), name = 'photo.jpg', featureId = 'pump', maintenanceId, headers, mapId } = sent
    const { pieceBytes = 1024 * 1024 } = sent
    const begun = await begin(
      { id, featureId, maintenanceId, name, size: bytes.length, sha256: sha256Of(bytes) },
      headers,
      mapId,
    )
    if (begun.statusCode !== 201) return begun
    let answer = begun
    for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
      answer = await put(id, offset, bytes.subarray(offset, offset + pieceBytes), headers, mapId)
      if (answer.statusCode !== 200) break
    }
    return answer
  }
  return {
    app,
    database,
    rosa,
    grace,
    begin,
    put,
    send,
    async add(bytes: Uint8Array, sent: Sent = {}) {
      const answer = await send(bytes, sent)
      const { file } = answer.json<UploadState>()
      if (!file) throw new Error(answer.body)
      return file
    },
    async list(headers: Headers | null = rosa, featureId = 'pump', mapId?: string): Promise<FilesOfFeature> {
      const answer = await app.get(`${pathOf(mapId)}/features/${featureId}/files`, headers ?? {})
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    get: (id: string, version: string, headers: Headers | null = rosa, mapId?: string) =>
      app.get(`${pathOf(mapId)}/files/${id}/${version}`, headers ?? {}),
    change: (id: string, payload: Record<string, unknown>, ifMatch: string | null = '*', headers = rosa) =>
      app.send({
        method: 'PATCH',
        url: `${pathOf()}/files/${id}`,
        headers: { ...headers, ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
        payload,
      }),
    remove: (id: string, ifMatch: string | null = '*', headers = rosa) =>
      app.send({
        method: 'DELETE',
        url: `${pathOf()}/files/${id}`,
        headers: { ...headers, ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
      }),
    putBack: (id: string, headers = rosa) =>
      app.send({ method: 'POST', url: `${pathOf()}/files/${id}/put-back`, headers }),
    stored: () => filesBelow(join(database.location.dataDirectory, 'files')),
    async activities() {
      const rows = await database.read.selectFrom('activity').selectAll().orderBy('at').execute()
      return rows.map(({ action, subject, details }) => ({ action, subject, details: JSON.parse(details) }))
    },
  }
}
