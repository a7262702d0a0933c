import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Challenge, isSolved, solve, type Work } from '#domain/reports/proof-of-work.ts'
import { defaultReportSettings } from '#domain/reports/report-settings.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { aReport, byKey } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { deleteOldBlocks } from './blocked-senders.queries.ts'
import { eraseReporters } from './reports.queries.ts'

onEachEngine('protection of reports', (createDatabase) => {
  async function start(settings: Record<string, string>): Promise<[TestApp, TestDatabase]> {
    const database = await createDatabase()
    for (const mapId of ['oak-hills', 'elm-park']) await storeClient(database, mapId)
    return [await startTestApp(database, { settings }), database]
  }
  const report = (app: TestApp, mapId = 'oak-hills', values: object = {}, headers = {}) =>
    app.post(`/api/maps/${mapId}/reports`, aReport(values), headers)

  it('counts reports of an association from all addresses', async () => {
    const [app] = await start({ REPORTS_PER_HOUR: '50', REPORTS_PER_HOUR_OF_MAP: '2' })
    for (const status of [201, 201, 429]) expect((await report(app)).statusCode).toBe(status)
    expect(expectProblem(await report(app), 429).detail).toMatch(
      /^This association has received 2 reports within an hour.* You can send more in \d+ minutes/,
    )
    expect((await report(app, 'elm-park')).statusCode).toBe(201)
    await app.close()
  })

  it('keeps one address from using up the limit of the association', async () => {
    const [app] = await start({ REPORTS_PER_HOUR: '1', REPORTS_PER_HOUR_OF_MAP: '2' })
    for (const status of [201, 429, 429, 429]) expect((await report(app)).statusCode).toBe(status)
    expect(expectProblem(await report(app), 429).detail).toMatch(/^Your network has sent 1 report /)
    await app.close()
  })

  it('refuses none beyond limits that are only measured', async () => {
    const [app, database] = await start({
      REPORTS_PER_HOUR: '1',
      REPORTS_PER_HOUR_OF_MAP: '1',
      REPORT_LIMITS: 'measure',
    })
    for (let count = 0; count < 3; count++) expect((await report(app)).statusCode).toBe(201)
    const rows = await database.read
      .selectFrom('reports')
      .select('id')
      .where('map_id', '=', 'oak-hills')
      .execute()
    expect(rows).toHaveLength(3)
    await app.close()
  })

  it.each([
    ['HONEYPOT', { website: 'https://spam.example' }, /^The field that must stay empty was filled/],
    ['MIN_TIME', { secondsOnForm: 2 }, /^The report was sent within 3 seconds/],
    ['PROOF_OF_WORK', {}, /^check.work: is missing/],
  ])('explains why it refuses, only measures, or ignores: %s', async (name, check, reason) => {
    const mapId = 'oak-hills'
    const [app, database] = await start({ [`REPORT_${name}`]: 'enforce' })
    const refused = await report(app, mapId, { check })
    expect(expectProblem(refused, 403).detail).toMatch(reason)
    await app.close()
    for (const mode of ['measure', 'off']) {
      await using other = await startTestApp(database, { settings: { [`REPORT_${name}`]: mode } })
      expect((await report(other, mapId, { check })).statusCode).toBe(201)
    }
  })

  it('exempts staff', async () => {
    const [app, database] = await start({ REPORT_PROOF_OF_WORK: 'enforce' })
    const headers = await signIn(database, ['editor:oak-hills'])
    expect((await report(app, 'oak-hills', {}, headers)).statusCode).toBe(201)
    await app.close()
  })

  describe('with work', () => {
    let app: TestApp
    let database: TestDatabase
    beforeAll(async () => {
      ;[app, database] = await start({ REPORT_PROOF_OF_WORK: 'enforce', REPORTS_PER_HOUR: '50' })
    })
    afterAll(() => app.close())
    const challengeOf = async (mapId: string) =>
      (await app.post(`/api/maps/${mapId}/reports/challenge`)).json<Challenge>()
    const send = async (id: string, work: Work, mapId = 'oak-hills') =>
      (await report(app, mapId, { id, check: { work } })).statusCode

    it('takes each solved challenge once', async () => {
      const id = randomUUID()
      const challenge = await challengeOf('oak-hills')
      const work = await solve(challenge, id)
      let wrong = work.nonce + 1
      while (isSolved({ ...work, nonce: wrong }, id, challenge.bits)) wrong += 1
      expect(await send(id, { ...work, nonce: wrong })).toBe(403)
      expect(await send(randomUUID(), work)).toBe(403)
      expect(await send(id, work)).toBe(201)
      expect(await send(id, work)).toBe(201)
    })

    it('refuses challenges of other maps', async () => {
      const id = randomUUID()
      await challengeOf('oak-hills')
      expect(await send(id, await solve(await challengeOf('elm-park'), id))).toBe(403)
    })

    it('refuses challenges that expired or were made up', async () => {
      const id = randomUUID()
      const challenge = await challengeOf('oak-hills')
      const [expires = '', signature = ''] = challenge.challenge.split('.')
      const later = { ...challenge, challenge: `${Number(expires) + 1}.${signature}` }
      expect(await send(id, await solve(later, id))).toBe(403)
      const work = await solve(challenge, id)
      vi.useFakeTimers({ toFake: ['Date'], now: Number(expires) + 1 })
      try {
        expect(await send(id, work)).toBe(403)
      } finally {
        vi.useRealTimers()
      }
    })

    it('asks for no work if it is off', async () => {
      await using other = await startTestApp(database, { settings: { REPORT_PROOF_OF_WORK: 'off' } })
      const url = '/api/maps/oak-hills/reports/challenge'
      expect((await other.post(url)).json()).toEqual({ challenge: '', bits: 0 })
    })
  })

  it('holds reports with links for review where others are public at once', async () => {
    const [app, database] = await start({ REPORTS_PER_HOUR: '50' })
    const url = '/api/maps/oak-hills/report-settings'
    const payload = { ...defaultReportSettings, publication: 'immediate' }
    const headers = await signIn(database)
    const changed = await app.put(url, payload, { ...headers, 'if-match': '"0"' })
    expect(changed.statusCode).toBe(200)
    const stateOf = async (other: TestApp, description: string) =>
      (await report(other, 'oak-hills', { description })).json<{ state: string }>().state
    expect(await stateOf(app, 'Water over the road.')).toBe('accepted')
    expect(await stateOf(app, 'Cheap pumps: www.pumps.example')).toBe('new')
    await app.close()
    await using measuring = await startTestApp(database, { settings: { REPORT_LINKS: 'measure' } })
    expect(await stateOf(measuring, 'Cheap pumps: www.pumps.example')).toBe('accepted')
  })

  it('refuses blocked senders until the block ends or is removed, and says so', async () => {
    const [app, database] = await start({ REPORTS_PER_HOUR: '50', TRUSTED_PROXIES: '1' })
    const headers = await signIn(database, ['editor:oak-hills'])
    const reports = '/api/maps/oak-hills/reports'
    const from = (ip: string, mapId?: string) => report(app, mapId, {}, { 'x-forwarded-for': ip })
    const list = async () => (await app.get('/api/maps/oak-hills/blocked-senders', headers)).json().items
    const { id } = (await from('2001:db8::1')).json()
    const url = `${reports}/${id}/block`
    const block = (days: unknown = 7, to = url) => app.put(to, { days }, headers)
    for (const days of [0, 8, '7']) expectProblem(await block(days), 400)
    expect((await block()).statusCode).toBe(204)
    expect((await app.get(reports, headers)).json().items).toMatchObject([
      { id, isSenderKnown: true, senderBlockedUntil: expect.stringMatching(/Z$/) },
    ])
    expect(await list()).toMatchObject([{ reportId: id, number: 1, blockedBy: 'Maya Ortiz' }])
    // The same network.
    expect(expectProblem(await from('2001:db8::2'), 403).detail).toMatch(
      /^The association accepts no reports from this network until \d{4}-\d\d-\d\d\./,
    )
    expect((await from('2001:db9::1')).statusCode).toBe(201)
    expect((await from('2001:db8::1', 'elm-park')).statusCode).toBe(201)

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1_000 })
    try {
      expect((await from('2001:db8::1')).statusCode).toBe(201)
      await database.write((transaction) => deleteOldBlocks(transaction, Date.now()))
    } finally {
      vi.useRealTimers()
    }
    expect(await list()).toEqual([])

    expect((await block()).statusCode).toBe(204)
    for (const _ of ['removed', 'repeated'])
      expect((await app.send({ method: 'DELETE', url, headers })).statusCode).toBe(204)
    expect((await from('2001:db8::1')).statusCode).toBe(201)
    expectProblem(await block(7, `${reports}/${randomUUID()}/block`), 404)
    await app.close()
  })

  it('refuses changes of reports from blocked networks', async () => {
    const [app, database] = await start({ TRUSTED_PROXIES: '1' })
    const headers = await signIn(database, ['editor:oak-hills'])
    const { id } = (await report(app)).json()
    const url = `/api/maps/oak-hills/reports/${id}`
    const photo = `${url}/photos/${randomUUID()}`
    const changes = [
      ['PATCH', `${url}/own`, { description: 'Deep' }],
      ['POST', `${url}/own/comments`, { id: randomUUID(), text: 'Deep' }],
      ['POST', `${url}/photos`, { id: randomUUID(), size: 100 }],
      ['PUT', `${photo}?offset=0`, 'abc'],
      ['POST', `${url}/own/withdraw`, {}],
    ] as const
    const send = (
      method: 'PATCH' | 'POST' | 'PUT' | 'GET',
      to: string,
      payload?: object | string,
      ip = '127.0.0.1',
    ) => {
      const type = typeof payload === 'string' ? { 'content-type': 'application/octet-stream' } : {}
      const own = { ...byKey, 'x-forwarded-for': ip, ...type }
      return app.send({ method, url: to, headers: own, ...(payload && { payload }) })
    }
    expect((await app.put(`${url}/block`, { days: 1 }, headers)).statusCode).toBe(204)
    for (const [method, to, payload] of changes)
      expect(expectProblem(await send(method, to, payload), 403).detail).toMatch(
        /^The association accepts no reports from this network until/,
      )
    expect((await send('GET', `${url}/own`)).statusCode).toBe(200)
    expectProblem(await send('GET', `${photo}/small`), 404)
    expect((await send('PATCH', `${url}/own`, { description: 'Deep' }, '192.0.2.9')).statusCode).toBe(200)
    expect((await send('POST', `${url}/own/end-emails`)).statusCode).toBe(200)
    await app.close()
  })

  it('stores a hash of senders only, until reporters are erased', async () => {
    const [app, database] = await start({})
    const headers = await signIn(database, ['editor:oak-hills'])
    const { id } = (await report(app)).json()
    const read = () =>
      database.read.selectFrom('reports').select('sender').where('map_id', '=', 'oak-hills').execute()
    expect(await read()).toEqual([{ sender: expect.stringMatching(/^[0-9a-f]{32}$/) }])
    await database.write(async (transaction) => {
      await transaction
        .updateTable('reports')
        .set({ decided_at: 0 })
        .where('map_id', '=', 'oak-hills')
        .execute()
      await eraseReporters(transaction, Date.now())
    })
    expect(await read()).toEqual([{ sender: null }])
    const url = `/api/maps/oak-hills/reports/${id}/block`
    expectProblem(await app.put(url, { days: 1 }, headers), 409)
    await app.close()
  })

  const own = (app: TestApp, id: string, payload: object, ip = '192.0.2.1') =>
    app.patch(`/api/maps/oak-hills/reports/${id}/own`, payload, { ...byKey, 'x-forwarded-for': ip })
  const countMails = async ({ read }: TestDatabase) =>
    (await read.selectFrom('jobs').select('payload').where('map_id', '=', 'oak-hills').execute()).length

  it('changes the address of a report three times only', async () => {
    const [app] = await start({ REPORTS_PER_HOUR: '50' })
    const { id } = (await report(app, 'oak-hills', { email: 'a@example.org' })).json()
    for (const name of ['b', 'a', 'b'])
      expect((await own(app, id, { email: `${name}@example.org` })).statusCode).toBe(200)
    expect(expectProblem(await own(app, id, { email: 'a@example.org' }), 409).detail).toMatch(
      /can be changed 3 times/,
    )
    expect((await own(app, id, { email: 'b@example.org', description: 'Deep' })).statusCode).toBe(200)
    expect((await own(app, id, { email: null })).json()).toMatchObject({ email: null })
    await app.close()
  })

  it('limits changes of addresses by network, and emails by address, unless they are only measured', async () => {
    const settings = { REPORTS_PER_HOUR: '7', TRUSTED_PROXIES: '1' }
    const [app, database] = await start(settings)
    const add = async () => (await report(app)).json<{ id: string }>().id
    const to = { email: 'Ann@example.org' }
    const ids = await Promise.all(Array.from({ length: 7 }, add))
    for (const id of ids.slice(0, 5)) expect((await own(app, id, to)).statusCode).toBe(200)
    const [sixth = '', seventh = ''] = ids.slice(5)
    const refused = await own(app, sixth, { email: 'ann@example.org' }, '198.51.100.1')
    expect(expectProblem(refused, 429).detail).toMatch(/^This address has received 5 emails/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    for (const name of ['b', 'c'])
      expect((await own(app, sixth, { email: `${name}@example.org` })).statusCode).toBe(200)
    expect(expectProblem(await own(app, seventh, { email: 'd@example.org' }), 429).detail).toMatch(
      /^Your network has sent 7 changes/,
    )
    expect((await own(app, seventh, { description: 'Deep' })).statusCode).toBe(200)
    await app.close()
    const measured = { ...settings, REPORTS_PER_HOUR: '1', REPORT_LIMITS: 'measure' }
    await using measuring = await startTestApp(database, { settings: measured })
    for (const id of ids.slice(5)) expect((await own(measuring, id, to)).statusCode).toBe(200)
  })

  it('sends nothing more to an address that ended the emails', async () => {
    const [app, database] = await start({})
    const { id } = (await report(app, 'oak-hills', { email: 'ann@example.org' })).json()
    const url = `/api/maps/oak-hills/reports/${id}/own/end-emails`
    expect((await app.post(url, undefined, byKey)).statusCode).toBe(200)
    await database.write((transaction) => transaction.deleteFrom('jobs').execute())
    expect(expectProblem(await own(app, id, { email: 'Ann@example.org' }), 409).detail).toMatch(
      /to this address were ended/,
    )
    expect(await countMails(database)).toBe(0)
    expect((await own(app, id, { email: 'bob@example.org' })).statusCode).toBe(200)
    expect(await countMails(database)).toBe(1)
    await app.close()
  })
})
