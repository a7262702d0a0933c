import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { BackgroundExport } from '#domain/exports/background-export.schema.ts'
import { onEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { times } from '#test/random/how-much.ts'
import { endLeases, type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'

const rounds = times(1)

onEngine('sqlite', 'a server that is killed in the middle of an export', (createDatabase) => {
  it(
    'restarts the export and completes it',
    async () => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      const some = Array.from({ length: 500 }, (_, index) =>
        anAsset({ id: `a${index}`, name: `Pole ${index}` }),
      )
      await storeFeatures(database, some)
      const settings = { PUBLIC_URL: 'http://localhost:3000' }
      const headers = await signIn(database, 'administrator', { settings })
      const start = () => startServer({ ...settingsOf(database.location), ...settings })
      const address = ({ url }: ServerProcess, rest = '') => `${url}/api/maps/oak-hills/exports${rest}`
      const becomes = (server: ServerProcess, id: string, state: BackgroundExport['state']) =>
        expect
          .poll(
            async () => {
              const answer = await fetch(address(server, `/${id}`), { headers })
              return ((await answer.json()) as BackgroundExport).state
            },
            { interval: 20, timeout: 60_000 },
          )
          .toBe(state)

      for (let round = 1; round <= rounds; round++) {
        const id = randomUUID()
        {
          await using server = await start()
          const answer = await fetch(address(server, '?format=gpkg'), {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify({ id }),
          })
          expect(answer.status).toBe(202)
          await becomes(server, id, 'writing')
          server.kill('SIGKILL')
          await server.exited
          await endLeases(database)
        }
        await using server = await start()
        await becomes(server, id, 'done')
        const file = await fetch(address(server, `/${id}/file`), { headers })
        const bytes = Buffer.from(await file.arrayBuffer())
        expect(bytes.subarray(0, 15).toString()).toBe('SQLite format 3')
        expect(bytes).toHaveLength(Number(file.headers.get('content-length')))
        // A user can keep only a few.
        const removed = await fetch(address(server, `/${id}`), { method: 'DELETE', headers })
        expect(removed.status).toBe(204)
      }
    },
    90_000 * rounds,
  )
})
