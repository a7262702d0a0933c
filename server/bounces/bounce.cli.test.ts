import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { aBounce } from '#test/server/a-bounce.ts'
import { startNode } from '#test/server/processes.ts'
import { settingsOf } from '#test/server/server-process.ts'
import { returningSubscription, returnNameOf } from '../mail/return-path.ts'
import { insertSubscription, readSubscription } from '../subscriptions/subscriptions.queries.ts'

onEngine('sqlite', 'npm run bounce', (createDatabase) => {
  it('reads a message from standard input, and its exit code tells whether to try again', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const row = aSubscriptionRow({ id: randomUUID() })
    await database.write((transaction) => insertSubscription(transaction, row))
    const folder = database.location.dataDirectory
    async function run(message: string, settings: Record<string, string> = {}, ...args: string[]) {
      const file = join(folder, 'message')
      writeFileSync(file, message)
      const input = openSync(file, 'r')
      const env = { ...process.env, DATABASE_URL: '', ...settingsOf(database.location), ...settings }
      const command = startNode('server/bounces/bounce.cli.ts', args, { env, stdio: [input, 'pipe', 'pipe'] })
      const code = await command.exited
      closeSync(input)
      return { code, output: command.output() }
    }
    const good = aBounce(`${returnNameOf(returningSubscription(row))}@example.org`)
    const away = await run(good, { DATABASE_URL: 'postgres://poa:x@127.0.0.1:1/poa' })
    expect(away).toMatchObject({ code: 75, output: expect.stringMatching(/Cannot reach the database/) })
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect(await run(good, { DATA_DIR: empty })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no database/),
    })
    expect(existsSync(join(empty, 'poa.sqlite'))).toBe(false)
    expect(await run('Hello')).toMatchObject({ code: 1, output: expect.stringMatching(/multipart\/report/) })
    expect((await run(`${good}${'x'.repeat(1_100_000)}`)).output).toMatch(/larger than 1 MB/)
    expect((await run(good, {}, '--all')).code).toBe(2)
    expect(await run(good)).toEqual({ code: 0, output: 'The address gets no more of these emails.\n' })
    const { ended_at } = (await readSubscription(database.read, { mapId: 'oak-hills', id: row.id })) ?? {}
    expect(ended_at).not.toBeNull()
  }, 60_000)
})
