import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { reserveAddress } from '#test/server/provider.ts'
import { runServer, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { openDatabase } from './open-database.ts'
import { openConnection } from './sqlite-connection.ts'

async function breakPostgres(database: TestDatabase, code: string, message: string) {
  await database.write(async (transaction) => {
    await sql`
      create or replace function outage() returns trigger language plpgsql as ${sql.lit(
        `begin raise exception '${message}' using errcode = '${code}'; end`,
      )}`.execute(transaction)
    for (const table of ['clients', 'sessions'])
      await sql`
        create trigger outage before insert or update on ${sql.table(table)}
        for each statement execute function outage()`.execute(transaction)
  })
  await sql`
    create or replace function outage_of_tables() returns event_trigger language plpgsql as ${sql.lit(
      `begin raise exception '${message}' using errcode = '${code}'; end`,
    )}`.execute(database.read)
  await sql`
    create event trigger outage on ddl_command_start when tag in ('CREATE TABLE')
    execute function outage_of_tables()`.execute(database.read)
  return async () => {
    await sql`drop event trigger outage`.execute(database.read)
    await sql`drop function outage cascade`.execute(database.read)
  }
}

async function fillSqlite(database: TestDatabase) {
  const allow = (pages: number) =>
    database.write((transaction) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(transaction))
  await allow(1)
  return () => allow(4_294_967_294)
}

onEachEngine('an unavailable database', (createDatabase, { engine }) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const headers = await signIn(database)
    await database.write((transaction) =>
      transaction
        .updateTable('sessions')
        .set({ last_seen_at: Date.now() - 120_000 })
        .execute(),
    )
    return { database, headers, app: await startTestApp(database) }
  }

  const addClient = ({ send }: TestApp, headers: Record<string, string>, index: number) =>
    send({
      method: 'POST',
      url: '/api/clients',
      headers: { ...headers, 'idempotency-key': `a-client-${index}` },
      payload: { name: `Client ${index} ${'of the woods '.repeat(10)}`, location: '' },
    })

  it('reports a full disk, and still answers reads', async () => {
    const { database, headers, app } = await start()
    await using _ = app
    const makeRoom =
      engine === 'sqlite'
        ? await fillSqlite(database)
        : await breakPostgres(database, '53100', 'could not extend file: No space left on device')
    let answer = await addClient(app, headers, 0)
    for (let index = 1; answer.statusCode === 201 && index < 1_000; index++)
      answer = await addClient(app, headers, index)
    const detail = 'The database disk is full. Nothing was changed. Free up disk space.'
    expect(expectProblem(answer, 507)).toMatchObject({ title: 'Disk full', detail })
    expect(expectProblem(await app.get('/health/ready'), 507)).toMatchObject({ detail })
    expect((await app.get('/health/live')).statusCode).toBe(200)
    expect((await app.get('/api/clients?mine=true', headers)).statusCode).toBe(200)
    await makeRoom()
    expect((await app.get('/health/ready')).statusCode).toBe(200)
    expect((await addClient(app, headers, 1_000)).statusCode).toBe(201)
  })

  it('reports locks of other processes after a timeout', async () => {
    const { database, headers, app } = await start()
    await using _ = app
    const letGo = await holdOn(database)
    runClockFast()
    const { detail } = expectProblem(await addClient(app, headers, 0), 503)
    expect(detail).toMatch(/^The database is busy with another process/)
    await letGo()
    expect((await addClient(app, headers, 1)).statusCode).toBe(201)
  })

  function runClockFast() {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ticking = setInterval(() => vi.setSystemTime(Date.now() + 500), 10)
    onTestFinished(() => {
      clearInterval(ticking)
      vi.useRealTimers()
    })
  }

  async function holdOn(database: TestDatabase) {
    if (engine === 'postgres')
      return breakPostgres(database, '55P03', 'canceling statement due to lock timeout')
    const other = openConnection(`${database.location.dataDirectory}/poa.sqlite`, false)
    other.exec('begin immediate')
    return async () => {
      other.exec('rollback')
      other.close()
    }
  }
})

onEngine('postgres', 'a change that collides on another shard', (createDatabase) => {
  it('can be repeated', async () => {
    const database = await createDatabase()
    const headers = await signIn(database)
    await using app = await startTestApp(database)
    await breakPostgres(database, '40001', 'could not serialize access due to concurrent update')
    const answer = await app.send({
      method: 'POST',
      url: '/api/clients',
      headers: { ...headers, 'idempotency-key': 'a-client' },
      payload: { name: 'Oak Hills', location: '' },
    })
    expect(expectProblem(answer, 503).detail).toMatch(/^The database is busy/)
  })
})

onEngine('postgres', 'a full disk', (createDatabase) => {
  const message = 'could not extend file: No space left on device'

  it('is logged in plain words', async () => {
    const database = await createDatabase()
    const publicUrl = await reserveAddress()
    const settings = {
      ...settingsOf(database.location),
      PORT: new URL(publicUrl).port,
      PUBLIC_URL: publicUrl,
    }
    await using server = await startServer(settings)
    const { cookie } = await signIn(database, 'administrator', { settings })
    await breakPostgres(database, '53100', message)
    const answer = await fetch(`${publicUrl}/api/clients`, {
      method: 'POST',
      headers: {
        cookie,
        origin: publicUrl,
        'content-type': 'application/json',
        'idempotency-key': 'a-client',
      },
      body: JSON.stringify({ name: 'Oak Hills', location: '' }),
    })
    expect(answer.status).toBe(507)
    await server.stop()
    const lines = server.output().match(/^\{.*$/gm) ?? []
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'the disk of the database is full',
        err: expect.objectContaining({ message }),
      }),
    )
  })

  it('is reported by a server that has not seen a failed change, as after a restart', async () => {
    const database = await createDatabase()
    const makeRoom = await breakPostgres(database, '53100', message)
    const reopened = await openDatabase(database.location)
    await using app = await startTestApp({ ...reopened, location: database.location })
    expectProblem(await app.get('/health/ready'), 507)
    await makeRoom()
    expect((await app.get('/health/ready')).statusCode).toBe(200)
    await reopened.close()
  })

  it('prevents the start of a server', async () => {
    const database = await createDatabase()
    await breakPostgres(database, '53100', message)
    const server = runServer(settingsOf(database.location))
    expect(await server.exited).toBe(1)
    expect(server.output()).toContain(
      `The database disk is full. Nothing was changed. Free up disk space. (${message})\n`,
    )
  })
})
