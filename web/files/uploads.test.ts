import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxFileBytes } from '#domain/files/file.schema.ts'
import { fakeUploadServer } from '#test/page/fake-upload-server.ts'

const size = 700 * 1024
const photo = new File([new Uint8Array(size)], 'dam.jpg')
const target = { mapId: 'oak-hills', featureId: 'f1', maintenanceId: null }

async function load() {
  vi.resetModules()
  const module = await import('./uploads.ts')
  const { createUploads } = await import('#web/api/uploads.ts')
  return { ...module, createUploads, client: new QueryClient() }
}

let server: ReturnType<typeof fakeUploadServer>
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { isSecureContext: false })
  vi.stubGlobal('navigator', { onLine: true })
  server = fakeUploadServer(size, (received) => ({
    received,
    file: received === size ? { id: 'p1', name: 'dam.jpg' } : null,
  }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('uploads of photos', () => {
  it('send a file in pieces, larger ones while the connection is fast', async () => {
    const { sendFiles, client } = await load()
    expect(await sendFiles(client, target, [photo])).toEqual([{ id: 'p1', name: 'dam.jpg' }])
    expect(server.offsets).toEqual([0, 256 * 1024])
  })

  it('resume after a lost connection', async () => {
    const { sendFiles, client } = await load()
    const { unsavedWork } = await import('#web/ui/unsaved/unsaved-work.ts')
    server.piecesUntilAway = 1
    const sent = sendFiles(client, target, [photo])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(server.offsets).toHaveLength(1)
    expect(unsavedWork()).toEqual([{ text: '1 file uploading', isStored: false }])
    Object.assign(server, { isAway: false, piecesUntilAway: 9 })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await sent).toHaveLength(1)
    expect(server.offsets.slice(0, 2)).toEqual([0, 256 * 1024])
    expect(unsavedWork()).toEqual([])
  })

  it.each([408, 409, 429, 503])('retry after a %i', async (status) => {
    const { sendFiles, client } = await load()
    server.refusals.push(status)
    const sent = sendFiles(client, target, [photo])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await sent).toHaveLength(1)
  })

  it('fail if the server refuses the file', async () => {
    const { sendFiles, client } = await load()
    server.refusals.push(400)
    expect(await sendFiles(client, target, [photo])).toEqual([])
    expect(server.offsets).toEqual([])
  })

  it('refuse files that are too large without sending them', async () => {
    const { sendFiles, client } = await load()
    const large = new File([], 'large.jpg')
    Object.defineProperty(large, 'size', { value: maxFileBytes + 1 })
    expect(await sendFiles(client, target, [large])).toEqual([])
    expect(server.received).toBe(0)
  })
})

describe('a list of uploads', () => {
  it('stops an upload that was removed', async () => {
    const { createUploads } = await load()
    const uploads = createUploads()
    uploads.add({ id: 'u1', size, sent: 0, state: 'waiting', reason: '' })
    const sent: number[] = []
    const upload = uploads.sendPieces('u1', 0, {
      bytes: photo,
      receivedOf: (received) => (received < size ? received : null),
      async send(offset, piece) {
        sent.push(offset)
        uploads.remove('u1')
        return offset + piece.size
      },
      onPiece() {},
    })
    expect(await upload).toBeNull()
    expect(sent).toEqual([0])
  })

  it('has smaller pieces while the connection is slow', async () => {
    const { createUploads } = await load()
    const uploads = createUploads()
    uploads.add({ id: 'u1', size, sent: 0, state: 'waiting', reason: '' })
    const pieces: number[] = []
    await uploads.sendPieces('u1', 0, {
      bytes: photo,
      receivedOf: (received) => (received < size ? received : null),
      async send(offset, piece) {
        pieces.push(piece.size / 1024)
        vi.advanceTimersByTime(3_000)
        return offset + piece.size
      },
      onPiece() {},
    })
    expect(pieces.slice(0, 4)).toEqual([256, 128, 64, 32])
    expect(Math.min(...pieces.slice(0, -1))).toBe(32)
  })
})
