import { randomUUID } from 'node:crypto'
import type { Drawing, DrawingChange, NewDrawing } from '#domain/drawings/drawing.schema.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { storeClient, storeMap } from '#test/databases/feature-builders.ts'
import { signIn } from './signed-in.ts'
import { startTestApp } from './test-app.ts'

export function aDrawing(fields: Partial<NewDrawing> = {}): NewDrawing {
  const ring: [number, number][] = [
    [-111, 34],
    [-110.99, 34],
    [-110.99, 34.01],
    [-111, 34.01],
    [-111, 34],
  ]
  return {
    id: randomUUID(),
    kind: 'rectangle',
    geometry: { type: 'Polygon', coordinates: [ring] },
    name: '',
    note: '',
    ...fields,
  }
}

export const drawingFields = ({ id: _id, ...fields }: NewDrawing): DrawingChange => fields

type Headers = Record<string, string>
type Options = { headers?: Headers; mapId?: string }

/** Headers default to the editor Rosa. */
export async function startDrawings(database: TestDatabase) {
  for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
  await storeClient(database, 'closed', { archived: true })
  await storeMap(database, 'sample')
  const app = await startTestApp(database)
  const editor = ['editor:oak-hills', 'editor:elm-park']
  const rosa: Headers = await signIn(database, editor, { id: 'rosa', name: 'Rosa Delgado' })
  const grace: Headers = await signIn(database, editor, { id: 'grace', name: 'Grace Whitfield' })
  const admin: Headers = await signIn(database)
  const pathOf = (mapId: string, id?: string) =>
    `/api/maps/${mapId}/drawings${id === undefined ? '' : `/${id}`}`
  const matching = (headers: Headers, ifMatch: string | undefined) => ({
    ...headers,
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  })
  return {
    app,
    database,
    rosa,
    grace,
    admin,
    add: (items: readonly NewDrawing[], headers = rosa, mapId = 'oak-hills') =>
      app.send({ method: 'POST', url: pathOf(mapId), headers, payload: { items } }),
    change: (
      id: string,
      payload: DrawingChange,
      ifMatch: string | undefined,
      { headers = rosa, mapId = 'oak-hills' }: Options = {},
    ) => app.send({ method: 'PUT', url: pathOf(mapId, id), headers: matching(headers, ifMatch), payload }),
    remove: (
      id: string,
      ifMatch: string | undefined,
      { headers = rosa, mapId = 'oak-hills' }: Options = {},
    ) => app.send({ method: 'DELETE', url: pathOf(mapId, id), headers: matching(headers, ifMatch) }),
    clear: (headers = rosa, mapId = 'oak-hills') =>
      app.send({ method: 'DELETE', url: pathOf(mapId), headers }),
    async list(headers: Headers, mapId = 'oak-hills', query = '') {
      const answer = await app.get(`${pathOf(mapId)}${query}`, headers)
      return answer.json() as { items: Drawing[]; next: string | null }
    },
    async activities() {
      const rows = await database.read.selectFrom('activity').selectAll().orderBy('at').execute()
      return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
    },
  }
}
