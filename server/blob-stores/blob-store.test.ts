import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type S3Server, s3Credentials, startS3Server } from '#test/databases/s3-server.ts'
import { type BlobStore, openDiskStore, readBytes } from './blob-store.ts'
import { openS3Store, reasonOf, StoreUnreachableError } from './s3-store.ts'

const openers = {
  'on the disk': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'poa-blobs-'))
    const close = async () => rmSync(folder, { recursive: true })
    return { store: openDiskStore(join(folder, 'files')), close }
  },
  'of the protocol S3': async () => {
    const server = await startS3Server()
    return {
      store: openS3Store({ url: server.url, ...s3Credentials }),
      close: () => server[Symbol.asyncDispose](),
    }
  },
}

async function listOf(store: BlobStore) {
  const items: { key: string; changedAt: number }[] = []
  for await (const item of store.list()) items.push(item)
  return items
}

describe.each(Object.entries(openers))('a store %s', (_, open) => {
  let store: BlobStore
  beforeEach(async () => {
    const opened = await open()
    store = opened.store
    return opened.close
  })
  const listed = async () => (await listOf(store)).map(({ key }) => key).toSorted()

  it('returns stored blobs, and undefined for other keys', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    await store.put('oak-hills/ab/cd/abcd', bytes)
    const found = await store.read('oak-hills/ab/cd/abcd')
    expect(found?.size).toBe(bytes.length)
    expect(found && (await buffer(found.stream)).equals(bytes)).toBe(true)
    expect(await store.sizeOf('oak-hills/ab/cd/abcd')).toBe(bytes.length)
    await store.put('oak-hills/ab/cd/abcd', Buffer.from('other'))
    expect((await readBytes(store, 'oak-hills/ab/cd/abcd'))?.toString()).toBe('other')
    expect(await store.read('oak-hills/ab/cd/abce')).toBeUndefined()
    expect(await store.sizeOf('elm-park/ab/cd/abcd')).toBeUndefined()
    expect(await store.findFault()).toBe(null)
  })

  it('stores a blob while another process removes it', async () => {
    const key = 'oak-hills/uploads/7a1d-0.3'
    await store.put(key, Buffer.from('a piece'))
    const removeAgainAndAgain = async () => {
      for (let count = 0; count < 100; count++) await store.remove(key)
    }
    await Promise.all([store.put(key, Buffer.alloc(4_000_000)), removeAgainAndAgain()])
    await store.put(key, Buffer.from('a piece'))
    expect(await listed()).toEqual([key])
  })

  it('lists all blobs, and removes existing and missing ones', async () => {
    expect(await listed()).toEqual([])
    const keys = ['elm-park/uploads/7a1d-0.3', 'oak-hills/ab/cd/abcd', 'oak-hills/ab/ce/abce']
    for (const key of keys) await store.put(key, Buffer.from(key))
    const before = Date.now()
    expect(await listed()).toEqual(keys)
    for await (const { changedAt } of store.list()) expect(Math.abs(before - changedAt)).toBeLessThan(60_000)
    await store.remove('oak-hills/ab/cd/abcd')
    await store.remove('oak-hills/no/th/ing')
    expect(await listed()).toEqual([keys[0], keys[2]])
  })
})

describe('an S3 store', () => {
  let server: S3Server
  type Parts = Parameters<typeof openS3Store>
  const openWith = (more: Partial<Parts[0]> = {}, options?: Parts[1]) =>
    openS3Store({ url: server.url, ...s3Credentials, ...more }, options)
  beforeEach(async () => {
    server = await startS3Server()
  })
  afterEach(() => server[Symbol.asyncDispose]())
  const failing = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error).toBeInstanceOf(StoreUnreachableError)
    return reasonOf(error as Error)
  }

  it.each(['busy', 'hangs', 'resets'] as const)('that %s is asked again, a few times', async (fault) => {
    const store = openWith({}, fault === 'hangs' ? { patienceMs: 300 } : {})
    server.faults.push(fault, fault)
    await store.put('a/b', Buffer.from('bytes'))
    expect(server.requests).toEqual(Array(3).fill('PUT /poa-files/a/b'))
    server.faults.push(fault, fault, fault)
    const words = {
      busy: /returned 503 Please reduce/,
      hangs: /did not respond within 0\.3/,
      resets: /closed|reset/,
    }
    expect(await failing(store.read('a/b'))).toMatch(words[fault])
    expect((await readBytes(store, 'a/b'))?.toString()).toBe('bytes')
  })

  it('returns no partial blob if the response is truncated', async () => {
    const store = openWith()
    await store.put('a/b', Buffer.alloc(100_000, 1))
    server.faults.push('cut')
    expect(await failing(readBytes(store, 'a/b'))).toMatch(/closed|terminated/)
  })

  it('reports a refusal without retrying and without the secret', async () => {
    for (const wrong of [{ keyId: 'other' }, { secret: 'other secret' }, { region: 'us-east-1' }]) {
      const store = openWith(wrong)
      server.requests.length = 0
      const words = await failing(store.put('a/b', Buffer.from('bytes')))
      expect(words).toBe('it returned 403 The request is not signed as it should be.')
      expect(server.requests).toHaveLength(1)
      expect(await store.findFault()).toBe(words)
    }
    expect(server.objects.size).toBe(0)
    const noBucket = openWith({ url: server.url.replace('poa-files', 'others') })
    const works = [
      () => noBucket.read('a/b'),
      () => noBucket.put('a/b', Buffer.from('x')),
      () => listOf(noBucket),
    ]
    for (const work of works) expect(await failing(work())).toMatch(/no bucket|bucket does not exist/)
  })

  it('reports an unreachable store', async () => {
    const store = openWith({ url: 'http://127.0.0.1:1/poa-files' })
    expect(await store.findFault()).toMatch(/ECONNREFUSED|bad port/)
  })

  it('lists blobs page by page', async () => {
    const store = openWith()
    const keys = Array.from({ length: 2_100 }, (_, index) => `a/${String(index).padStart(4, '0')}`)
    for (const key of keys) server.objects.set(key, { bytes: Buffer.from(key), changedAt: new Date() })
    expect((await listOf(store)).map(({ key }) => key)).toEqual(keys)
    expect(server.requests).toHaveLength(3)
  })
})
