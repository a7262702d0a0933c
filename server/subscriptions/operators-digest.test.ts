import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { finishJobs } from '#test/server/test-app.ts'
import { queueOperatorsDigest } from './operators-digest.queries.ts'
import { operatorsDigestJob } from './operators-digest-job.ts'

const email = 'office@example.org'

onEachEngine('the digest of operators', (createDatabase) => {
  let database: TestDatabase
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    // A Tuesday.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-02T12:00:00Z') })
    database = await createDatabase()
    mail = await startMailServer()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await mail.close()
  })

  async function start(operators = [email], mayFail = false) {
    await database.write(async (transaction) => {
      for (const one of operators) await queueOperatorsDigest(transaction, one, Date.now())
    })
    const job = operatorsDigestJob({ sender: mail.sender, publicUrl: 'https://land.example' }, operators)
    await finishJobs(database, [job], { mayFail })
  }
  const jobs = () => database.read.selectFrom('jobs').select('job_key').execute()

  it('lists the associations with open work on Mondays, until the address leaves the setting', async () => {
    await storeClient(database, 'elm-park', { name: 'Elm Park' })
    await storeClient(database, 'oak-hills', { name: 'Oak Hills' })
    await storeClient(database, 'birch-lake', { name: 'Birch Lake' })
    await start()
    expect(mail.received).toHaveLength(0)
    const places = { 'oak-hills': ['smoke', 'ash'], 'birch-lake': ['mud'] }
    for (const [mapId, ids] of Object.entries(places))
      await storeFeatures(
        database,
        ids.map((id) => anIncident({ id, mapId, due: '2026-06-05' })),
      )
    await database.write((transaction) =>
      transaction.updateTable('features').set({ created_at: Date.now() }).where('id', '!=', 'ash').execute(),
    )
    vi.setSystemTime(new Date('2026-06-09T00:00:00Z'))
    await start()
    await start()
    expect(mail.received.map(({ headers }) => `${headers.get('to')} ${headers.get('subject')}`)).toEqual([
      `${email} 2 of 3 associations with open work on 2026-06-09`,
    ])
    const { text = '' } = mail.received[0] ?? {}
    expect(text.indexOf('Oak Hills: 2 overdue, 1 new incident')).toBeGreaterThan(0)
    expect(text.indexOf('Birch Lake: 1 overdue, 1 new incident')).toBeGreaterThan(text.indexOf('Oak Hills'))
    expect(text).toContain('https://land.example/config/map/birch-lake')
    expect(text).not.toContain('Elm Park')
    vi.setSystemTime(new Date('2026-06-16T00:00:00Z'))
    await start([])
    expect(mail.received).toHaveLength(1)
    expect(await jobs()).toEqual([])
  })

  it('comes a week later if the mail server failed for half a day', async () => {
    await storeClient(database, 'oak-hills', { name: 'Oak Hills' })
    await storeFeatures(database, [anIncident({ id: 'smoke', due: '2026-06-05' })])
    await start()
    await database.write((transaction) => transaction.updateTable('jobs').set({ attempts: 79 }).execute())
    vi.setSystemTime(new Date('2026-06-08T20:00:00Z'))
    mail.state.refuse = { code: 450, message: 'Later' }
    await start([email], true)
    mail.state.refuse = null
    vi.setSystemTime(new Date('2026-06-16T00:00:00Z'))
    await start()
    expect(mail.received).toHaveLength(1)
  })

  it('waits for a map', async () => {
    await start()
    expect(await jobs()).toEqual([])
  })
})
