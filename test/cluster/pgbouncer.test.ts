import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { onEngine } from '#test/databases/databases.ts'
import { aQueueClient, askEndlessly } from '#test/databases/endless-query.ts'
import { freePort } from '#test/server/processes.ts'
import { host, makePrivate, ready, startPart } from './parts.ts'
import { writePgbouncerSettings } from './pgbouncer.ts'

const isInstalled = existsSync('/usr/sbin/pgbouncer')

onEngine('postgres', 'PgBouncer in transaction mode', (createDatabase) => {
  async function open(timeLimitMs: number) {
    const { location } = await createDatabase()
    const { port, pathname, username } = new URL(location.databaseUrl ?? '')
    const folder = mkdtempSync(join(tmpdir(), 'poa-pgbouncer-'))
    makePrivate(folder)
    const ownPort = await freePort()
    const served = { port: Number(port), database: pathname.slice(1), user: username }
    const pooler = startPart(folder, 'pgbouncer', [
      'pgbouncer',
      writePgbouncerSettings(folder, ownPort, served),
    ])
    const databaseUrl = `postgres://${username}@${host}:${ownPort}${pathname}`
    const database = await openDatabase({ ...location, databaseUrl }, undefined, { timeLimitMs })
    onTestFinished(async () => {
      await database.close()
      await pooler.stop()
      rmSync(folder, { recursive: true })
    })
    const check = async () => (await sql`select 1`.execute(database.read)).rows.length === 1
    await ready('PgBouncer', new AbortController().signal, check)
    return database
  }

  it.runIf(isInstalled)('applies the time limit of a search to no other query', async () => {
    const database = await open(500)
    const limitIn = async (read: typeof database.read) =>
      (await sql`show statement_timeout`.execute(read)).rows[0]
    expect(await database.readInWorker(aQueueClient(), limitIn)).toEqual({ statement_timeout: '500ms' })
    expect(await limitIn(database.read)).toEqual({ statement_timeout: '0' })
  })

  it.runIf(isInstalled)('cancels the search of a client that left', async () => {
    const database = await open(3_600_000)
    await database.readInWorker(aQueueClient(), (read) => sql`select 1`.execute(read))
    // Holds the backend that the first search had.
    const other = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const snapshot = database.readSnapshot(async () => {
      isHeld.resolve()
      await other.promise
      return 'answered'
    })
    await isHeld.promise
    const { outcome, leave } = await askEndlessly(database)
    leave()
    expect(await outcome).toMatchObject({ reason: 'left' })
    other.resolve()
    expect(await snapshot).toBe('answered')
  })
})
