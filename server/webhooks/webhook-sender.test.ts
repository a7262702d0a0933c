import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import {
  type DeliveryPage,
  type Endpoint,
  type EndpointWithSecret,
  maxEndpoints,
} from '#domain/webhooks/webhook.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeChange, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { selfSigned } from '#test/server/self-signed.ts'
import type { Received } from '#test/server/webhook-receiver.ts'
import { aDeliveryRow, anEndpointRow } from '#test/server/webhook-rows.ts'
import { startWebhooks } from '#test/server/webhooks.ts'
import { insertDelivery, insertEndpoint } from './webhooks.queries.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

const pausesMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]

function verify(secret: string, { body, headers }: Received) {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

const change = (database: TestDatabase) => storeChange(database, 'oak-hills', [])

onEachEngine('webhooks', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    const hooks = await startWebhooks(database)
    const { ask } = hooks
    return {
      database,
      ...hooks,
      endpoint: async (id: string) => {
        const { items } = (await ask<{ items: Endpoint[] }>('GET')).read()
        return items.find((one) => one.id === id)
      },
      deliveries: async (id: string) => (await ask<DeliveryPage>('GET', `/${id}/deliveries`)).read().items,
    }
  }

  it('sends a signed message that names the change and has no contents', async () => {
    const { database, app, headers, receiver, add, startSender } = await start()
    await storeFeatures(database, [anAsset({ id: 'tank', name: 'Secret tank' })])
    const { secret } = await add()
    const answer = await app.send({
      method: 'PUT',
      url: '/api/maps/oak-hills/features/tank/status',
      headers: { ...headers, 'if-match': '"1"' },
      payload: { status: 'offline' },
    })
    expect(answer.statusCode).toBe(200)
    await startSender().work()
    expect(receiver.messages()).toEqual([
      {
        type: 'feature.changed',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: {
          mapId: 'oak-hills',
          subject: 'tank',
          kind: 'asset',
          version: 2,
          link: 'http://localhost:3000/api/maps/oak-hills/features/tank',
        },
      },
    ])
    const [received] = receiver.received as [Received]
    expect(verify(secret, received)).toEqual(JSON.parse(received.body))
    expect(() => verify(secret, { ...received, body: `${received.body} ` })).toThrow('No matching signature')
    expect(received.headers['content-type']).toBe('application/json')
  })

  it('retries a message after growing pauses under the same id, then switches the webhook off', async () => {
    const { database, receiver, add, startSender, passTime, endpoint, deliveries } = await start()
    const { id } = await add()
    receiver.answerStatus(500)
    const sender = startSender()
    await change(database)
    await sender.work()
    let expected = 1
    for (const pauseMs of pausesMs) {
      expect(await deliveries(id)).toMatchObject([
        { state: 'waiting', tries: expected, status: 500, error: 'Status 500.' },
      ])
      passTime(pauseMs - secondMs)
      await sender.work()
      expect(receiver.received).toHaveLength(expected)
      passTime(secondMs)
      await sender.work()
      expected += 1
      expect(receiver.received).toHaveLength(expected)
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
    expect(await endpoint(id)).toMatchObject({
      isOn: false,
      off: { reason: 'failing' },
      last: { state: 'failed', tries: 8 },
    })
    const activity = database.read.selectFrom('activity').selectAll().where('action', '=', 'webhook.stopped')
    expect(await activity.execute()).toMatchObject([
      { actor: null, subject: id, details: `{"host":"127.0.0.1:${receiver.port}","reason":"failing"}` },
    ])
    await change(database)
    expect(await deliveries(id)).toHaveLength(1)
  })

  it('switches a webhook off after a 410 and fails its waiting messages', async () => {
    const { database, receiver, add, ask, startSender, endpoint, deliveries } = await start()
    const { id } = await add()
    for (let count = 0; count < 3; count++) await change(database)
    receiver.answerStatus(410)
    await startSender().work()
    expect(receiver.received).toHaveLength(1)
    expect(await endpoint(id)).toMatchObject({ isOn: false, off: { reason: 'gone' } })
    const errors = (await deliveries(id)).map(({ state, error }) => `${state}: ${error}`)
    expect(errors.toSorted()).toEqual([
      'failed: Status 410. The receiver no longer exists.',
      'failed: The webhook was turned off before the event was sent.',
      'failed: The webhook was turned off before the event was sent.',
    ])
    const other = await add()
    expect((await ask('POST', `/${other.id}/test`)).statusCode).toBe(202)
    await startSender().work()
    expect(await endpoint(other.id)).toMatchObject({ isOn: false, off: { reason: 'gone' } })
  })

  it('counts a message as delivered before the response ends', async () => {
    const { database, receiver, add, startSender, deliveries } = await start()
    const { id } = await add()
    receiver.answerWith((_received, response) => {
      response.writeHead(200)
      response.write('{')
    })
    await change(database)
    await startSender({ timeoutMs: 30_000 }).work()
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', tries: 1, status: 200 }])
  })

  it('delivers to other receivers while one does not answer', async () => {
    const { database, receiver, add, startSender, deliveries } = await start()
    const slow = await add({ url: `${receiver.url}/slow` })
    const quick = await add({ url: `${receiver.url}/quick` })
    const arrived = Promise.withResolvers<void>()
    receiver.answerWith(({ path }, response) => {
      if (path === '/slow') arrived.resolve()
      else response.writeHead(200).end()
    })
    const sender = startSender({ timeoutMs: 30_000 })
    await change(database)
    const working = sender.work()
    await arrived.promise
    const states = async () => (await deliveries(quick.id)).map(({ state }) => state)
    await expect.poll(states).toEqual(['delivered'])
    await change(database)
    await expect
      .poll(async () => {
        await sender.check()
        return states()
      })
      .toEqual(['delivered', 'delivered'])
    expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(1)
    expect(await deliveries(slow.id)).toMatchObject([{ tries: 0 }, { tries: 0 }])
    await sender.close()
    await working
    expect(await deliveries(slow.id)).toMatchObject([{ tries: 0 }, { tries: 0 }])
  })

  it('sends to four receivers of a map at once', async () => {
    const { database, receiver, startSender } = await start()
    await storeClient(database, 'elm-park')
    const add = (map_id: string, id: string, path: string) =>
      database.write(async (transaction) => {
        const url = `${receiver.url}${path}`
        await insertEndpoint(transaction, anEndpointRow({ map_id, id, url, served_at: 0 }))
        const due = { next_try_at: 1, tries: 0 }
        await insertDelivery(transaction, aDeliveryRow({ map_id, id: `of-${id}`, endpoint_id: id, ...due }))
      })
    for (let index = 0; index < 6; index++) await add('oak-hills', `slow-${index}`, '/slow')
    const quick = Promise.withResolvers<void>()
    receiver.answerWith(({ path }, response) => {
      if (path === '/slow') return
      response.writeHead(200).end()
      quick.resolve()
    })
    const sender = startSender({ timeoutMs: 30_000 })
    const working = sender.work()
    const toSlowOnes = () => receiver.received.filter(({ path }) => path === '/slow').length
    await expect.poll(toSlowOnes).toBe(4)
    await add('elm-park', 'quick', '/quick')
    await sender.check()
    await quick.promise
    expect(toSlowOnes()).toBe(4)
    await sender.close()
    await working
  })

  it('fails a message after the timeout', async () => {
    const { database, receiver, add, startSender, deliveries } = await start()
    const { id } = await add()
    receiver.answerWith(() => {})
    await change(database)
    await startSender({ timeoutMs: 50 }).work()
    expect(await deliveries(id)).toMatchObject([
      { state: 'waiting', tries: 1, status: null, error: 'No response in time.' },
    ])
  })

  it('follows no redirect, and reads little of a response', async () => {
    const { database, receiver, add, startSender, deliveries } = await start()
    const { id } = await add()
    receiver.answerStatus(302, { location: `${receiver.url}/elsewhere` })
    await change(database)
    await startSender().work()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/'])
    expect(await deliveries(id)).toMatchObject([
      { status: 302, error: 'Status 302. Redirects are not followed.' },
    ])
    receiver.answerWith((_received, response) => {
      response.writeHead(200)
      const goOn = () => {
        while (response.write('x'.repeat(16_384)));
      }
      response.on('drain', goOn)
      goOn()
    })
    await change(database)
    await startSender({ timeoutMs: 30_000 }).work()
    expect(await deliveries(id)).toContainEqual(expect.objectContaining({ state: 'delivered', status: 200 }))
    expect(
      JSON.stringify(await database.read.selectFrom('webhook_deliveries').selectAll().execute()),
    ).not.toContain('xxx')
  })

  it('connects to the checked address, although the name resolves to another meanwhile', async () => {
    const { database, receiver, add, startSender, deliveries } = await start()
    const { id } = await add()
    const setUrl = (url: string) =>
      database.write((transaction) => transaction.updateTable('webhook_endpoints').set({ url }).execute())
    await setUrl(`http://hooks.test:${receiver.port}/`)
    const resolved: string[] = []
    const resolve = async (name: string) => {
      resolved.push(name)
      return [{ address: resolved.length === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    }
    await change(database)
    await startSender({ resolve }).work()
    expect(resolved).toEqual(['hooks.test'])
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual([`hooks.test:${receiver.port}`])
    await change(database)
    await startSender({ resolve }).work()
    const errors = async () => (await deliveries(id)).map(({ error }) => error)
    expect(await errors()).toContain('The address must start with https://.')
    await setUrl('https://hooks.test/')
    await change(database)
    await startSender({
      resolve: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    }).work()
    expect(await errors()).toContain('The address is in a private network, which is not allowed.')
    expect(receiver.received).toHaveLength(1)
  })

  it('sends to a host name that the operator allows', async () => {
    const { database, receiver, add, startSender } = await start()
    await add({ url: `http://localhost:${receiver.port}/hook` })
    await change(database)
    await startSender().work()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it('rejects a receiver with an untrusted certificate', async () => {
    const { database, add, startSender, deliveries } = await start()
    const requests: unknown[] = []
    const server = createServer(selfSigned, (request, response) => {
      requests.push(request)
      response.end()
    })
    onTestFinished(() => {
      server.close()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { id } = await add({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    await change(database)
    await startSender().work()
    expect(requests).toEqual([])
    expect(await deliveries(id)).toMatchObject([
      { status: null, error: 'The certificate is not signed by a trusted authority.' },
    ])
  })

  it('signs with the previous secret too, for a day or not at all', async () => {
    const { database, receiver, add, ask, startSender, passTime } = await start()
    const { id, secret: first } = await add()
    const renew = async (version: number, previousEnds: string) =>
      (await ask<EndpointWithSecret>('POST', `/${id}/secret`, { formerEnds: previousEnds }, version)).read()
    const send = async () => {
      await change(database)
      await startSender().work()
      return receiver.received.at(-1) as Received
    }
    const signatures = ({ headers }: Received) => String(headers['webhook-signature']).split(' ').length
    const { secret: second, formerSecretUntil } = await renew(1, 'after-a-day')
    expect(formerSecretUntil).not.toBeNull()
    const both = await send()
    for (const secret of [first, second]) expect(verify(secret, both)).toBeTypeOf('object')
    expect(signatures(both)).toBe(2)
    passTime(24 * hourMs)
    const later = await send()
    expect(signatures(later)).toBe(1)
    const { secret: third, formerSecretUntil: none } = await renew(2, 'at-once')
    expect(none).toBeNull()
    expect(new Set([first, second, third]).size).toBe(3)
    const last = await send()
    expect(signatures(last)).toBe(1)
    expect(() => verify(second, last)).toThrow()
  })

  it('is sent by another process when the lease of the first one ends', async () => {
    const { database, receiver, add, startSender, passTime, deliveries } = await start()
    const { id } = await add()
    const arrived = Promise.withResolvers<ServerResponse>()
    receiver.answerWith((_received, response) => arrived.resolve(response))
    await change(database)
    const hung = startSender({ timeoutMs: 600_000 })
    const hanging = hung.work()
    const held = await arrived.promise
    receiver.answerStatus(200)
    await startSender().work()
    expect(receiver.received).toHaveLength(1)
    passTime(30 * secondMs)
    await startSender().work()
    expect(receiver.received).toHaveLength(2)
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', tries: 1 }])
    held.writeHead(500).end()
    await hanging
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', tries: 1 }])
  })

  it('does not retry a message that fails after the webhook was switched off', async () => {
    const { database, receiver, add, ask, startSender, deliveries } = await start()
    const { id, url, description, events, kinds } = await add()
    const arrived = Promise.withResolvers<ServerResponse>()
    receiver.answerWith((_received, response) => arrived.resolve(response))
    await change(database)
    const sending = startSender().work()
    const held = await arrived.promise
    const off = { url, description, events, kinds, isOn: false }
    expect((await ask('PUT', `/${id}`, off, 1)).statusCode).toBe(200)
    held.writeHead(500).end()
    await sending
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', tries: 1, status: 500, nextTryAt: null }])
  })

  it('does not switch a webhook off if its address changed meanwhile', async () => {
    const { database, receiver, add, ask, startSender, endpoint } = await start()
    const { id, url, description, events, kinds } = await add()
    const arrived = Promise.withResolvers<ServerResponse>()
    receiver.answerWith((_received, response) => arrived.resolve(response))
    await change(database)
    const sending = startSender().work()
    const held = await arrived.promise
    const moved = { url: `${url}/moved`, description, events, kinds, isOn: true }
    expect((await ask('PUT', `/${id}`, moved, 1)).statusCode).toBe(200)
    held.writeHead(410).end()
    await sending
    expect(await endpoint(id)).toMatchObject({ isOn: true, off: null })
  })

  it('alternates between endpoints, one message at a time', async () => {
    const { database, receiver, startSender } = await start()
    const paths = Array.from({ length: maxEndpoints }, (_, index) => `/${index}`)
    await database.write(async (transaction) => {
      for (const [index, path] of paths.entries()) {
        const id = `hook-${index}`
        const at = { created_at: index, served_at: maxEndpoints - index }
        await insertEndpoint(transaction, anEndpointRow({ id, url: `${receiver.url}${path}`, ...at }))
        for (let count = 0; count < 5; count++)
          await insertDelivery(
            transaction,
            aDeliveryRow({ id: `${id}-${count}`, endpoint_id: id, next_try_at: 1, tries: 0 }),
          )
      }
    })
    const [atOnce, most] = [new Map<string, number>(), new Map<string, number>()]
    receiver.answerWith(async ({ path }, response) => {
      const count = (atOnce.get(path) ?? 0) + 1
      atOnce.set(path, count)
      most.set(path, Math.max(count, most.get(path) ?? 0))
      await new Promise(setImmediate)
      atOnce.set(path, count - 1)
      response.writeHead(200).end()
    })
    await startSender().work()
    const order = receiver.received.map(({ path }) => path)
    expect(order).toHaveLength(paths.length * 5)
    const firstTurns = paths.map((path) => order.indexOf(path))
    expect(Math.max(...firstTurns)).toBeLessThan(paths.length * 2)
    expect(new Set(most.values())).toEqual(new Set([1]))
  })
})
