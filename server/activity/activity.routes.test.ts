import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { ActivityPage } from '#domain/activity/activity.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem, startTestApp } from '#test/server/test-app.ts'
import { recordActivity } from './activity.queries.ts'

const address = '/api/maps/oak-hills/activity'
const now = Date.now()
const dayMs = 86_400_000

onEachEngine('the activity of a map', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    await storeClient(database, 'closed', { archived: true })
    const app = await startTestApp(database)
    const maya = await signIn(database, ['editor:oak-hills', 'editor:closed'])
    const rosa = await signIn(database, ['manager:oak-hills'], { id: 'rosa', name: 'Rosa' })
    const read = async (headers: Record<string, string>, query = '') =>
      (await app.get(`${address}${query}`, headers)).json() as ActivityPage
    const note = (headers: Record<string, string>, at: unknown) =>
      app.send({ method: 'PUT', url: `${address}/read`, headers, payload: { at } })
    return { database, app, maya, rosa, read, note }
  }
  const record = (
    database: TestDatabase,
    at: number,
    { actor = null as string | null, mapId = 'oak-hills', subject = 'x' } = {},
  ) =>
    database.write((transaction) =>
      recordActivity(
        transaction,
        {
          mapId,
          action: 'asset.status-changed',
          actor: actor === null ? null : { id: actor, name: actor.toUpperCase() },
          subject,
          details: { name: 'Tank' },
        },
        at,
      ),
    )

  it('is listed newest first, page by page, for this map only', async () => {
    const { database, maya, read } = await start()
    for (const subject of ['a', 'b', 'c', 'd', 'e'])
      await record(database, now - (subject < 'd' ? 5 : 1), { subject, actor: 'rosa' })
    await record(database, now, { mapId: 'elm-park' })
    const whole = await read(maya)
    expect(whole.next).toBeNull()
    expect(
      whole.items
        .map((item) => item.subject)
        .slice(0, 2)
        .sort(),
    ).toEqual(['d', 'e'])
    expect(whole.items).toHaveLength(5)
    expect(whole.items[0]).toEqual({
      id: expect.any(String),
      at: new Date(now - 1).toISOString(),
      actor: 'ROSA',
      tokenId: null,
      action: 'asset.status-changed',
      subject: expect.any(String),
      details: { name: 'Tank' },
      isUnread: true,
    })
    const items: unknown[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: ActivityPage = await read(maya, `?limit=2${next && `&after=${next}`}`)
      expect(page.unread).toBe(5)
      items.push(...page.items)
      next = page.next
    }
    expect(items).toEqual(whole.items)
  })

  it('counts activities of others as unread since the last visit, at first those of the last 30 days', async () => {
    const { database, maya, rosa, read, note } = await start()
    await record(database, now - 31 * dayMs, { subject: 'old' })
    await record(database, now - 29 * dayMs, { subject: 'new' })
    await record(database, now - 1_000, { actor: 'maya', subject: 'own' })
    await record(database, now - 500, { actor: 'rosa', subject: 'hers' })
    const unreadOf = async (headers: Record<string, string>) => {
      const { items, unread } = await read(headers)
      const marked = items.filter((item) => item.isUnread).map((item) => item.subject)
      expect(unread).toBe(marked.length)
      return marked
    }
    expect(await unreadOf(maya)).toEqual(['hers', 'new'])
    expect(await unreadOf(rosa)).toEqual(['own', 'new'])
    expect((await note(maya, new Date(now - 600).toISOString())).statusCode).toBe(204)
    expect(await unreadOf(maya)).toEqual(['hers'])
    expect((await note(maya, new Date(now - 500).toISOString())).statusCode).toBe(204)
    expect(await unreadOf(maya)).toEqual([])
    expect((await note(maya, new Date(now - 2 * dayMs).toISOString())).statusCode).toBe(204)
    expect(await unreadOf(maya)).toEqual([])
    expect(await unreadOf(rosa)).toEqual(['own', 'new'])
    expect((await note(maya, '9999-12-31T23:59:59Z')).statusCode).toBe(204)
    await record(database, Date.now() + 1, { subject: 'later' })
    expect(await unreadOf(maya)).toEqual(['later'])
  })

  it('is for staff, and refuses bad requests', async () => {
    const { database, app, maya, note } = await start()
    const visitor = { 'sec-fetch-site': 'same-origin' }
    const stranger = await signIn(database, ['manager:elm-park'])
    const at = new Date(now).toISOString()
    expectProblem(await app.get(address), 401)
    expectProblem(await note(visitor, at), 401)
    expectProblem(await app.get(address, stranger), 403)
    expectProblem(await note(stranger, at), 403)
    expectProblem(await app.get('/api/maps/closed/activity', maya), 404)
    for (const after of ['["x","y"]', '["-1","y"]', '["1e3","y"]', '["99999999999999999","y"]', '["1"]'])
      expectBadParameter(
        await app.get(`${address}?after=${Buffer.from(after).toString('base64url')}`, maya),
        'query',
        'after',
      )
    expectBadParameter(await app.get(`${address}?limit=0`, maya), 'query', 'limit')
    for (const wrong of ['yesterday', 7, null, '2026-01-01'])
      expect(expectProblem(await note(maya, wrong), 400).errors).toMatchObject([{ in: 'body', name: 'at' }])
  })

  it('has no routes to change or remove it', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await record(database, now)
    const statements = [
      sql`update activity set actor = 'nobody'`,
      sql`delete from activity`,
      ...(database.engine === 'postgres' ? [sql`truncate activity`] : []),
    ]
    for (const statement of statements)
      await expect(database.write((transaction) => statement.execute(transaction))).rejects.toThrow(
        /append-only/,
      )
    const stored = await database.read.selectFrom('activity').select('subject').execute()
    expect(stored).toEqual([{ subject: 'x' }])
  })
})
