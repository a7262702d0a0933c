import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { times } from '#test/random/how-much.ts'
import { endLeases, type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'

const rounds = times(1)
const rows = 8_000

onEachEngine('a server that is killed in the middle of an import', (createDatabase) => {
  it(
    'restarts it automatically, and imports it once',
    async () => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      const settings = { PUBLIC_URL: 'http://localhost:3000' }
      const headers = await signIn(database, 'administrator', { settings })
      const start = () => startServer({ ...settingsOf(database.location), ...settings })
      const ask = async (
        { url }: ServerProcess,
        method: string,
        path: string,
        body?: object | Uint8Array,
      ) => {
        const isOfBytes = body instanceof Uint8Array
        const answer = await fetch(`${url}/api/maps/oak-hills/import-drafts${path}`, {
          method,
          headers: {
            ...headers,
            ...(body ? { 'content-type': isOfBytes ? 'application/octet-stream' : 'application/json' } : {}),
          },
          ...(body ? { body: isOfBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
        })
        expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
        return (await answer.json()) as ImportDraft
      }
      const becomes = (server: ServerProcess, id: string, state: ImportDraft['state']) =>
        expect
          .poll(async () => (await ask(server, 'GET', `/${id}`)).state, { interval: 20, timeout: 60_000 })
          .toBe(state)

      for (let round = 1; round <= rounds; round++) {
        const bytes = Buffer.from(
          `id,name,lat,lon\n${Array.from({ length: rows }, (_, row) => `${round}-${row},Pole ${row},${34 + row / 1e5},-111`).join('\n')}`,
        )
        const id = randomUUID()
        {
          await using server = await start()
          await ask(server, 'POST', '', { id, files: [{ name: `poles-${round}.csv`, size: bytes.length }] })
          await ask(server, 'PUT', `/${id}/files/0?offset=0`, bytes)
          await becomes(server, id, 'examined')
          await ask(server, 'PATCH', `/${id}/settings`, { kind: 'asset' })
          await ask(server, 'POST', `/${id}/try`)
          await becomes(server, id, 'tried')
          await ask(server, 'POST', `/${id}/import`)
          await expect
            .poll(async () => (await ask(server, 'GET', `/${id}`)).progress, { interval: 5, timeout: 60_000 })
            .not.toBeNull()
          server.kill('SIGKILL')
          await server.exited
          await endLeases(database)
        }
        await using server = await start()
        await becomes(server, id, 'imported')
        const { read } = database
        expect(await read.selectFrom('features').select('id').execute()).toHaveLength(round * rows)
        const recorded = await read
          .selectFrom('activity')
          .select('id')
          .where('action', '=', 'features.imported')
          .execute()
        expect(recorded).toHaveLength(round)
        const { outcome } = await ask(server, 'GET', `/${id}`)
        expect(outcome).toMatchObject({ rows, created: rows, refused: 0 })
      }
    },
    90_000 * rounds,
  )
})
