import { once } from 'node:events'
import { truncateSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, storeChange, storeClient } from '#test/databases/feature-builders.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { aDrawing } from '#test/server/drawings.ts'
import { listen } from '#test/server/event-streams.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem, startTestApp } from '#test/server/test-app.ts'
import { recordActivity } from '../activity/activity.queries.ts'

onEachEngine('events', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    return { database, app: await startTestApp(database) }
  }

  it('report changes of one map, or of all', async () => {
    const { database, app } = await start()
    const one = await listen(app, '?map=oak-hills')
    const all = await listen(app, '', await signIn(database))
    await storeChange(database, 'elm-park', [anAsset({ id: 'a', mapId: 'elm-park' })])
    await storeChange(database, 'oak-hills', [anAsset({ id: 'b', title: 'never told' } as object)])
    await app.changes.poll()
    await storeChange(database, 'oak-hills', [])
    await app.changes.poll()
    await app.changes.poll()
    const action = 'features.imported'
    expect(one.changes()).toEqual([
      { mapId: 'oak-hills', action, subject: null },
      { mapId: 'oak-hills', action, subject: null },
    ])
    expect(all.changes()).toHaveLength(3)
    expect(all.changes()).toEqual(expect.arrayContaining([{ mapId: 'elm-park', action, subject: 'a' }]))
  })

  it('report drawings to staff of the map only', async () => {
    const { database, app } = await start()
    const headers = await signIn(database, ['editor:oak-hills'])
    const stranger = await signIn(database, ['editor:elm-park'])
    const listeners = await Promise.all([
      listen(app, '?map=oak-hills'),
      listen(app, '?map=oak-hills', stranger),
      listen(app, '', stranger),
      listen(app, '?map=oak-hills', headers),
      listen(app, '', headers),
    ])
    const drawing = aDrawing()
    const url = '/api/maps/oak-hills/drawings'
    const added = await app.send({ method: 'POST', url, headers, payload: { items: [drawing] } })
    expect(added.statusCode).toBe(201)
    await app.changes.poll()
    const expected = [{ mapId: 'oak-hills', action: 'drawing.added', subject: drawing.id, version: 1 }]
    expect(listeners.map((one) => one.changes())).toEqual([[], [], [], expected, expected])
  })

  it('have the current version, and null for deleted subjects', async () => {
    const { database, app } = await start()
    const headers = await signIn(database)
    await storeChange(database, 'oak-hills', [anAsset({ id: 'tank' })])
    await app.changes.poll()
    const stream = await listen(app, '?map=oak-hills', headers)
    const send = async (
      method: 'PUT' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      payload?: object,
      version = 1,
    ) => {
      const ifMatch = { 'if-match': `"${version}"` }
      const url = `/api/${path}`
      const answer = await app.send({
        method,
        url,
        headers: { ...headers, ...ifMatch },
        ...(payload && { payload }),
      })
      expect(answer.statusCode).toBeLessThan(300)
      await app.changes.poll()
      return answer
    }
    const drawing = aDrawing()
    const { id: _id, ...content } = drawing
    const mapPath = 'maps/oak-hills'
    await send('PUT', `${mapPath}/features/tank/status`, { status: 'maintenance' })
    await send('PUT', `${mapPath}/features/tank/status`, { status: 'offline' }, 2)
    await send('POST', `${mapPath}/drawings`, { items: [drawing] })
    await send('PUT', `${mapPath}/drawings/${drawing.id}`, { ...content, name: 'Gate' })
    await send('DELETE', `${mapPath}/drawings/${drawing.id}`, undefined, 2)
    await send('POST', `${mapPath}/drawings`, { items: [drawing] })
    const url = `/api/${mapPath}/drawings/${drawing.id}`
    await app.send({ method: 'DELETE', url, headers: { ...headers, 'if-match': '"1"' } })
    await send('POST', `${mapPath}/drawings`, { items: [drawing] })
    await send('PUT', `${mapPath}/configuration`, defaultMapConfiguration, 0)
    await send('PATCH', 'clients/oak-hills', { name: 'Oak Hills East' })
    expect(stream.changes().map(({ action, subject, version }) => [action, subject, version])).toEqual([
      ['asset.status-changed', 'tank', 2],
      ['asset.status-changed', 'tank', 3],
      ['drawing.added', drawing.id, 1],
      ['drawing.changed', drawing.id, 2],
      ['drawing.deleted', drawing.id, undefined],
      ['drawing.added', drawing.id, 1],
      ['drawing.deleted', drawing.id, undefined],
      ['drawing.added', drawing.id, 1],
      ['configuration.applied', null, 1],
      ['client.changed', 'oak-hills', 2],
    ])
  })

  it('of all maps report those on which the user has a role', async () => {
    const { database, app } = await start()
    const own = await listen(app, '', await signIn(database, ['editor:elm-park']))
    const none = await listen(app, '', await signIn(database, []))
    for (const mapId of ['oak-hills', 'elm-park']) await storeChange(database, mapId, [])
    await app.changes.poll()
    expect(own.changes()).toEqual([{ mapId: 'elm-park', action: 'features.imported', subject: null }])
    expect(none.changes()).toEqual([])
    expectProblem(await app.get('/api/events'), 401)
  })

  it('of all maps end with the session, those of one map when it is archived', async () => {
    const { database, app } = await start()
    const headers = await signIn(database, ['editor:elm-park'])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const all = await listen(app, '', headers)
      const one = await listen(app, '?map=oak-hills', headers)
      vi.advanceTimersByTime(15_000)
      await database.write((transaction) => transaction.deleteFrom('sessions').execute())
      vi.advanceTimersByTime(15_000)
      await all.ended
      expect(all.text().match(/still here/g)).toHaveLength(2)
      const administrator = await signIn(database)
      await app.send({ method: 'POST', url: '/api/clients/oak-hills/archive', headers: administrator })
      await app.changes.poll()
      await one.ended
      expect(one.changes()).toMatchObject([{ action: 'client.archived' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('for staff end with the session and give the reason; public ones continue', async () => {
    const { database, app } = await start()
    const [headers, other] = [await signIn(database, ['editor:oak-hills']), await signIn(database)]
    const stranger = await signIn(database, ['editor:elm-park'])
    const streams = await Promise.all([
      listen(app, '?map=oak-hills', headers),
      listen(app, '', headers),
      listen(app, '?map=oak-hills', other),
      listen(app, '?map=oak-hills', stranger),
      listen(app, '?map=oak-hills'),
    ])
    for (const one of [headers, stranger])
      expect((await app.send({ method: 'DELETE', url: '/api/session', headers: one })).statusCode).toBe(200)
    await Promise.all([streams[0]?.ended, streams[1]?.ended])
    await storeChange(database, 'oak-hills', [])
    await app.changes.poll()
    expect(streams.map((one) => one.text().includes('event: session-ended'))).toEqual([
      ...[true, true],
      ...[false, false, false],
    ])
    expect(streams.map((one) => one.changes().length)).toEqual([0, 0, 1, 1, 1])
  })

  it('end when the session expires unused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T08:00:00Z') })
    try {
      const { database, app } = await start()
      const stream = await listen(app, '', await signIn(database))
      vi.setSystemTime(new Date('2026-03-01T16:00:00Z'))
      await stream.ended
      expect(stream.text()).toContain('event: session-ended')
    } finally {
      vi.useRealTimers()
    }
  })

  it('count all addresses of one IPv6 network together', async () => {
    const { database, app: free } = await start()
    await free.close()
    const settings = { MAX_EVENT_STREAMS_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' }
    await using app = await startTestApp(database, { settings })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    await listen(app, '?map=oak-hills', from('2001:db8:1:2::1'))
    expectProblem(await app.get('/api/events?map=oak-hills', from('2001:db8:1:2:ffff::2')), 429)
    await listen(app, '?map=oak-hills', from('2001:db8:1:3::1'))
  })

  it('are limited in number by address and in total', async () => {
    const { database, app: free } = await start()
    await free.close()
    const settings = { MAX_EVENT_STREAMS: '3', MAX_EVENT_STREAMS_PER_ADDRESS: '2', TRUSTED_PROXIES: '1' }
    await using app = await startTestApp(database, { settings })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const ask = (address: string) => app.get('/api/events?map=oak-hills', from(address))
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const connected = once(app.app.server, 'connection')
    const leaving = new AbortController()
    await fetch(`${url}/api/events?map=oak-hills`, { headers: from('10.0.0.1'), signal: leaving.signal })
    await listen(app, '?map=oak-hills', from('10.0.0.1'))
    const ofAddress = await ask('10.0.0.1')
    expectProblem(ofAddress, 429)
    expect(ofAddress.headers['retry-after']).toBe('30')
    await listen(app, '?map=oak-hills', from('2001:db8::1'))
    const ofAll = await ask('10.0.0.3')
    expectProblem(ofAll, 503)
    expect(ofAll.headers['retry-after']).toBe('30')
    const [socket] = (await connected) as [Socket]
    const closed = once(socket, 'close')
    leaving.abort()
    await closed
    const next = await listen(app, '?map=oak-hills', from('2001:db8::2'))
    expect(next.headers['retry-after']).toBeUndefined()
    expectProblem(await ask('2001:db8::3'), 503)
  })

  describe('of a client that stops reading', () => {
    async function startUnread() {
      const page = makeStubPage()
      onTestFinished(() => page.remove())
      const large = join(page.folder, 'assets/large-1a2b3c.js')
      writeFileSync(large, '')
      truncateSync(large, 200_000_000)
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      const settings = { MAX_EVENT_STREAMS: '1' }
      const app = await startTestApp(database, { settings, pageDirectory: page.folder })
      const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
      const connected = once(app.app.server, 'connection')
      const reader = connect(Number(new URL(url).port), '127.0.0.1').pause()
      reader.on('error', () => {})
      onTestFinished(() => void reader.destroy())
      const [socket] = (await connected) as [Socket]
      const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
      reader.write(get('/assets/large-1a2b3c.js') + get('/api/events?map=oak-hills'))
      const hasRoom = async () =>
        (await app.send({ method: 'HEAD', url: '/api/events?map=oak-hills' })).statusCode === 200
      await expect.poll(hasRoom, { timeout: 20_000, interval: 5 }).toBe(false)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      return { app, database, reader, socket, closed, hasRoom }
    }

    it('are cut off when too much is unread', async () => {
      const { app, database, socket, closed, hasRoom } = await startUnread()
      const record = async (count: number) => {
        const activity = {
          mapId: 'oak-hills',
          action: 'feature.changed',
          subject: 'x'.repeat(3_000),
        } as const
        await database.write(async (transaction) => {
          for (let expected = 0; expected < count; expected++)
            await recordActivity(transaction, activity, Date.now())
        })
        await app.changes.poll()
      }
      await record(15)
      expect(socket.destroyed).toBe(false)
      await record(15)
      expect(socket.destroyed).toBe(true)
      await closed
      expect(await hasRoom()).toBe(true)
    })

    it('are cut off when reading takes too long', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
      try {
        const { socket, closed, hasRoom } = await startUnread()
        vi.advanceTimersByTime(15_000)
        expect(socket.destroyed).toBe(false)
        vi.advanceTimersByTime(15_000)
        expect(socket.destroyed).toBe(true)
        await closed
        expect(await hasRoom()).toBe(true)
      } finally {
        vi.useRealTimers()
      }
    })

    it('free their slot when the reader disconnects', async () => {
      const { reader, closed, hasRoom } = await startUnread()
      reader.destroy()
      await closed
      expect(await hasRoom()).toBe(true)
    })
  })

  it('are a stream of server-sent events that proxies do not buffer', async () => {
    const { app } = await start()
    const { headers, statusCode, text } = await listen(app, '?map=oak-hills')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(text()).toBe('retry: 2000\n\nevent: open\ndata: {}\n\n')
  })

  it('send a heartbeat every 15 seconds', async () => {
    const { app } = await start()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { text } = await listen(app, '?map=oak-hills')
      vi.advanceTimersByTime(14_999)
      expect(text()).not.toContain(': still here')
      vi.advanceTimersByTime(1)
      expect(text().match(/^: still here$/gm)).toHaveLength(1)
      vi.advanceTimersByTime(30_000)
      expect(text().match(/^: still here$/gm)).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('end when the server closes', async () => {
    const { app } = await start()
    const { ended } = await listen(app, '?map=oak-hills')
    await Promise.all([app.close(), ended])
  })

  it('answer a HEAD without a stream', async () => {
    const { app } = await start()
    const answer = await app.send({ method: 'HEAD', url: '/api/events?map=oak-hills' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })

  it('refuse unknown maps and bad parameters', async () => {
    const { app } = await start()
    expectBadParameter(await app.get('/api/events?map=No%20Slug'), 'query', 'map')
    expectBadParameter(await app.get('/api/events?client=oak-hills'), 'query', 'client')
    expectProblem(await app.get('/api/events?map=elsewhere'), 404)
  })
})
