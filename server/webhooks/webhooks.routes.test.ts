import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  type Delivery,
  type DeliveryPage,
  type Endpoint,
  type EndpointWithSecret,
  maxEndpoints,
} from '#domain/webhooks/webhook.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { storeChange } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem } from '#test/server/test-app.ts'
import { aDeliveryRow, anEndpointRow } from '#test/server/webhook-rows.ts'
import { everyEvent, startWebhooks } from '#test/server/webhooks.ts'
import { insertDelivery, insertEndpoint, removeOldDeliveries } from './webhooks.queries.ts'

const dayMs = 86_400_000

onEachEngine('webhooks of a map', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    const hooks = await startWebhooks(database)
    const { receiver, ask } = hooks
    const endpointBody = {
      url: receiver.url,
      description: 'To the county',
      events: ['feature.added'],
      kinds: ['asset'],
    }
    const list = async () => (await ask<{ items: Endpoint[] }>('GET')).read().items
    const deliveries = async (id: string, query = '') =>
      (await ask<DeliveryPage>('GET', `/${id}/deliveries${query}`)).read()
    return { database, ...hooks, endpointBody, list, deliveries }
  }

  it('adds, lists, changes and removes webhooks', async () => {
    const { database, ask, endpointBody, list } = await start()
    const id = randomUUID()
    const added = await ask<EndpointWithSecret>('POST', '', { id, ...endpointBody })
    expect(added.statusCode).toBe(201)
    const { secret, ...endpoint } = added.read()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(endpoint).toMatchObject({
      id,
      ...endpointBody,
      isOn: true,
      off: null,
      createdBy: 'Maya Ortiz',
      last: null,
    })
    expect(await list()).toEqual([endpoint])

    const change = { ...endpointBody, events: everyEvent, kinds: [], isOn: true }
    const changed = (await ask<Endpoint>('PUT', `/${id}`, change, 1)).read()
    expect(changed).toEqual({ ...endpoint, ...change, version: 2 })
    expectProblem(await ask('PUT', `/${id}`, change), 428)
    expectProblem(await ask('PUT', `/${id}`, change, 1), 412)
    expectProblem(await ask('POST', `/${id}/secret`, { formerEnds: 'at-once' }, 1), 412)
    expectProblem(await ask('DELETE', `/${id}`, undefined, 1), 412)

    await storeChange(database, 'oak-hills', [])
    expect((await ask('DELETE', `/${id}`, undefined, 2)).statusCode).toBe(204)
    expect(await list()).toEqual([])
    expect(await database.read.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
    const activity = await database.read
      .selectFrom('activity')
      .select(['action', 'actor', 'details'])
      .where('action', 'like', 'webhook.%')
      .orderBy('at')
      .execute()
    expect(activity.map(({ action }) => action)).toEqual([
      'webhook.added',
      'webhook.changed',
      'webhook.removed',
    ])
    // The path of an address may be a secret.
    for (const { details } of activity) expect(Object.keys(JSON.parse(details))).toEqual(['host'])
  })

  it('shows the secret only once', async () => {
    const { add, ask, deliveries } = await start()
    const { id, secret } = await add()
    const answers = [
      await ask('GET'),
      await ask('GET', `/${id}/deliveries`),
      await ask('POST', `/${id}/test`),
      await ask(
        'PUT',
        `/${id}`,
        { url: 'https://8.8.8.8/', description: '', events: everyEvent, kinds: [], isOn: true },
        1,
      ),
    ]
    for (const { body } of answers) expect(body).not.toContain(secret.slice(6, 20))
    expect((await deliveries(id)).items).toHaveLength(1)
  })

  it('rejects users who are not managers of the map', async () => {
    const { database, app, add } = await start()
    const { id } = await add()
    const url = '/api/maps/oak-hills/webhooks'
    for (const path of ['', `/${id}/deliveries`]) {
      expectProblem(await app.get(`${url}${path}`), 401)
      expectProblem(await app.get(`${url}${path}`, await signIn(database, ['editor:oak-hills'])), 403)
      expectProblem(await app.get(`${url}${path}`, await signIn(database, ['manager:elm-park'])), 403)
    }
  })

  it('rejects internal addresses and invalid values with a reason', async () => {
    const { ask, endpointBody, add } = await start()
    const refuse = async (given: object, name: string, status = 400) => {
      const answer = await ask('POST', '', { id: randomUUID(), ...endpointBody, ...given })
      const { errors = [] } = expectProblem(answer, status)
      expect(errors.map((error) => error.name)).toContain(name)
      return errors[0]?.message
    }
    expect(await refuse({ url: 'https://10.0.0.1/' }, 'url')).toContain('is in a private network')
    expect(await refuse({ url: 'https://169.254.169.254/latest' }, 'url')).toContain('private network')
    expect(await refuse({ url: 'http://8.8.8.8/' }, 'url')).toBe('must start with https://')
    expect(await refuse({ url: 'https://8.8.8.8:9000/' }, 'url')).toContain('port 443 or 8443')
    expect(await refuse({ url: 'https://ann:pass@8.8.8.8/' }, 'url')).toContain('user name')
    expect(await refuse({ url: 'HTTP://8.8.8.8/' }, 'url')).toBe('must start with https://')
    expect(await refuse({ url: 'HTTPS://10.0.0.1/' }, 'url')).toContain('private network')
    expect(await refuse({ url: 'x' }, 'url')).toContain('https://example.org/hook')
    await refuse({ url: `https://8.8.8.8/${'x'.repeat(1_000)}` }, 'url')
    await refuse({ events: [] }, 'events')
    await refuse({ events: ['test'] }, 'events.0')
    await refuse({ events: ['import.done', 'import.done'] }, 'events')
    await refuse({ kinds: ['dragon'] }, 'kinds.0')
    await refuse({ id: 'mine/yours' }, 'id')
    await refuse({ color: 'red' }, 'color')
    const { id } = await add()
    const inside = { ...endpointBody, url: 'https://10.0.0.1/', isOn: true }
    expectProblem(await ask('PUT', `/${id}`, inside, 1), 400)
    expectProblem(await ask('POST', '', { id, ...endpointBody }), 409)
    expectProblem(await ask('PUT', `/${randomUUID()}`, { ...endpointBody, isOn: true }, 1), 404)
    expectProblem(await ask('GET', `/${randomUUID()}/deliveries`), 404)
    expectProblem(await ask('GET', `/${id}/deliveries?after=nonsense`), 400)
    expectProblem(await ask('POST', `/${id}/deliveries/none/repeat`), 404)
  })

  it(`rejects more than ${maxEndpoints} webhooks of a map`, async () => {
    const { ask, add, endpointBody } = await start()
    for (let count = 0; count < maxEndpoints; count++) await add()
    expectProblem(await ask('POST', '', { id: randomUUID(), ...endpointBody }), 409)
  })

  it('switches a webhook off, even if its host is gone, and on again', async () => {
    const { database, add, ask, list, deliveries, receiver, startSender } = await start()
    const { id } = await add()
    await storeChange(database, 'oak-hills', [])
    const change = { url: 'https://nowhere.invalid/', description: '', events: everyEvent, kinds: [] }
    const { errors } = expectProblem(await ask('PUT', `/${id}`, { ...change, url: '1', isOn: false }, 1), 400)
    expect(errors).toMatchObject([{ name: 'url', message: expect.stringContaining('must be a URL') }])
    expect((await ask('PUT', `/${id}`, { ...change, isOn: false }, 1)).statusCode).toBe(200)
    expect(await list()).toMatchObject([{ isOn: false, off: { reason: 'switched-off' } }])
    await storeChange(database, 'oak-hills', [])
    expect((await deliveries(id)).items).toMatchObject([
      { state: 'failed', tries: 0, error: 'The webhook was turned off before the event was sent.' },
    ])
    expectProblem(await ask('POST', `/${id}/test`), 409)
    const [{ id: sent } = { id: '' }] = (await deliveries(id)).items
    expectProblem(await ask('POST', `/${id}/deliveries/${sent}/repeat`), 409)
    expect((await ask('PUT', `/${id}`, { ...change, url: receiver.url, isOn: true }, 2)).statusCode).toBe(200)
    expect((await ask<Delivery>('POST', `/${id}/deliveries/${sent}/repeat`)).read()).toMatchObject({
      id: sent,
      state: 'waiting',
    })
    await startSender().work()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([sent])
  })

  it('queues one test at a time', async () => {
    const { add, ask, deliveries, receiver, startSender } = await start()
    const { id } = await add()
    const first = (await ask<Delivery>('POST', `/${id}/test`)).read()
    expect((await ask<Delivery>('POST', `/${id}/test`)).read()).toEqual(first)
    await startSender().work()
    expect(receiver.messages()).toHaveLength(1)
    expect((await ask<Delivery>('POST', `/${id}/test`)).read().id).not.toBe(first.id)
    expect((await deliveries(id)).items).toHaveLength(2)
  })

  it('tries a test message once', async () => {
    const { add, ask, list, deliveries, receiver, startSender, passTime } = await start()
    const { id } = await add({ events: ['import.done'] })
    receiver.answerStatus(500)
    expect((await ask('POST', `/${id}/test`)).statusCode).toBe(202)
    await startSender().work()
    passTime(dayMs)
    await startSender().work()
    expect(receiver.messages()).toMatchObject([{ type: 'test', data: { mapId: 'oak-hills', subject: null } }])
    expect((await deliveries(id)).items).toMatchObject([
      { event: 'test', state: 'failed', status: 500, tries: 1 },
    ])
    expect(await list()).toMatchObject([{ isOn: true, last: { event: 'test', state: 'failed' } }])
  })

  it('lists deliveries by pages, newest first, and repeats one under the same id', async () => {
    const { database, add, ask, deliveries, receiver, startSender } = await start()
    const { id } = await add()
    const at = Date.now()
    await database.write(async (transaction) => {
      for (let index = 0; index < 5; index++)
        await insertDelivery(
          transaction,
          aDeliveryRow({ id: `sent-${index}`, endpoint_id: id, at: at + index }),
        )
    })
    const first = await deliveries(id, '?limit=3')
    const second = await deliveries(id, `?limit=3&after=${first.next}`)
    const ids = [...first.items, ...second.items].map((one) => one.id)
    expect(ids).toEqual(['sent-4', 'sent-3', 'sent-2', 'sent-1', 'sent-0'])
    expect(second.next).toBeNull()
    const again = await ask<Delivery>('POST', `/${id}/deliveries/sent-2/repeat`)
    expect(again.statusCode).toBe(202)
    expect(again.read()).toMatchObject({ id: 'sent-2', state: 'waiting', tries: 0 })
    await startSender().work()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(['sent-2'])
  })

  it('deletes finished deliveries after 30 days, and those of removed endpoints', async () => {
    const { database } = await start()
    const now = Date.now()
    const past = now - 30 * dayMs
    await database.write(async (transaction) => {
      const previous = { former_secret: 'whsec_x', former_until: now }
      await insertEndpoint(transaction, anEndpointRow({ id: 'hook', ...previous }))
      await insertEndpoint(transaction, anEndpointRow({ id: 'newer', ...previous, former_until: now + 1 }))
      await insertDelivery(transaction, aDeliveryRow({ id: 'old', at: past - 1 }))
      await insertDelivery(transaction, aDeliveryRow({ id: 'waiting', at: past - 1, next_try_at: now }))
      await insertDelivery(transaction, aDeliveryRow({ id: 'young', at: past }))
      await insertDelivery(transaction, aDeliveryRow({ id: 'orphan', at: now, endpoint_id: 'gone' }))
    })
    await removeOldDeliveries(database, now)
    const { read } = database
    const remaining = await read.selectFrom('webhook_deliveries').select('id').orderBy('id').execute()
    expect(remaining.map(({ id }) => id)).toEqual(['waiting', 'young'])
    const secrets = read.selectFrom('webhook_endpoints').select(['id', 'former_secret']).orderBy('id')
    expect(await secrets.execute()).toEqual([
      { id: 'hook', former_secret: null },
      { id: 'newer', former_secret: 'whsec_x' },
    ])
  })
})
