import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDiskStore, readBytes } from '../blob-stores/blob-store.ts'
import { receivePiece, type UploadProgress } from './receive-piece.ts'

/** Another request records a piece of `otherLength` before the first one is recorded. */
async function receiveAfter(otherLength: number | 'removed') {
  const folder = mkdtempSync(join(tmpdir(), 'poa-pieces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = openDiskStore(folder)
  let row: UploadProgress | undefined = { size: 10, received: 0, pieces: '[]' }
  const upload = {
    keyPrefix: 'map/uploads/file',
    read: async () => row,
    async record() {
      row =
        otherLength === 'removed'
          ? undefined
          : { size: 10, received: otherLength, pieces: JSON.stringify([otherLength]) }
      return false
    },
  }
  const receiving = receivePiece(store, upload, { offset: 0, bytes: Buffer.from('abcd') })
  return { receiving, stored: () => readBytes(store, 'map/uploads/file.0.4') }
}

it('accepts a piece that a concurrent request has recorded', async () => {
  const { receiving, stored } = await receiveAfter(4)
  expect(await receiving).toMatchObject({ received: 4 })
  expect(String(await stored())).toBe('abcd')
})

it.each([
  ['recorded a piece of another length', 3, 'Continue at byte 3'],
  ['removed the upload', 'removed', 'not found'],
] as const)('removes a piece if a concurrent request has %s', async (_, other, message) => {
  const { receiving, stored } = await receiveAfter(other)
  await expect(receiving).rejects.toThrow(message)
  expect(await stored()).toBeUndefined()
})
