import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeUploadServer } from '#test/page/fake-upload-server.ts'
import { cancelUpload, continueUpload, isCanceled, problemOfFiles, uploadFiles } from './uploads.ts'

const megabyte = 1024 ** 2
const shapes = new File([new Uint8Array(300 * 1024)], 'lots.shp')
const table = new File([new Uint8Array(200 * 1024)], 'lots.dbf')
const client = new QueryClient()
const filesWith = (received: number) => {
  const first = Math.min(received, shapes.size)
  return [
    { name: shapes.name, size: shapes.size, received: first },
    { name: table.name, size: table.size, received: received - first },
  ]
}

let server: ReturnType<typeof fakeUploadServer>
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('uploads of imports', () => {
  it('finish when every file is complete', async () => {
    server = fakeUploadServer(shapes.size, (received) => ({
      id: 'i1',
      state: 'examining',
      files: [{ name: shapes.name, size: shapes.size, received }],
    }))
    const id = uploadFiles(client, 'oak-hills', [shapes])
    await vi.waitFor(() => expect(server.received).toBe(shapes.size))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('continue only with the same files', () => {
    server = fakeUploadServer(0, () => ({ files: [] }))
    const draft = { id: 'i2', files: filesWith(0) } as unknown as Parameters<typeof continueUpload>[2]
    expect(continueUpload(client, 'oak-hills', draft, [shapes])).toBe(false)
    expect(continueUpload(client, 'oak-hills', draft, [shapes, new File(['a'], 'lots.dbf')])).toBe(false)
    expect(continueUpload(client, 'oak-hills', draft, [table, shapes])).toBe(true)
  })

  it('are deleted when they are canceled, and listed again if that fails', async () => {
    server = fakeUploadServer(0, () => ({ files: [] }))
    await cancelUpload(client, 'oak-hills', 'i3')
    expect(server.deleted).toBe(true)
    expect(isCanceled('i3')).toBe(true)
    server.refusals.push(404)
    await cancelUpload(client, 'oak-hills', 'i4')
    expect(isCanceled('i4')).toBe(false)
  })
})

describe('problemOfFiles', () => {
  it.each([
    ['too many files', Array.from({ length: 30 }, () => table), undefined, /^Choose \d+ files or fewer/],
    ['an empty file', [new File([], 'empty.csv')], undefined, /^empty\.csv is empty/],
    ['files that are too large', [shapes], 0.1 * megabyte, /^The files are 1 MB. The maximum is 0\.1 MB/],
  ])('names %s', (_, files, most, problem) => {
    expect(problemOfFiles(files, most)).toMatch(problem)
  })

  it('accepts files while their limit is unknown', () => {
    expect(problemOfFiles([shapes, table], undefined)).toBeUndefined()
  })
})
