import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { UploadState } from '#domain/files/file.schema.ts'
import { storeIdKey } from '#server/blob-stores/blob-store.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { aPdf, aPhoto, filesBelow, sha256Of } from '#test/imports/file-bytes.ts'
import { times } from '#test/random/how-much.ts'
import { type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'

const rounds = times(4)
const senders = 4
const piecesOfFile = 4

type File = { id: string; featureId: string; bytes: Buffer }

onEachEngine('a server that is killed in the middle of uploads', (createDatabase) => {
  it(
    `has no file without a row and no row without its file, and loses nothing, ${rounds} times`,
    async () => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      await storeFeatures(
        database,
        Array.from({ length: 100 }, (_, index) => anAsset({ id: `thing-${index}` })),
      )
      const settings = { PUBLIC_URL: 'http://localhost:3000' }
      const headers = await signIn(database, 'administrator', { settings })
      const photos = await Promise.all(
        ['#a53', '#2a5', '#33c'].map((color) => aPhoto({ width: 200, height: 150, color, noise: true })),
      )
      let made = 0
      const nextFile = (): File => {
        const number = made++
        const bytes = number % 2 === 0 ? (photos[number % photos.length] as Buffer) : aPdf(`Deed ${number}`)
        return { id: randomUUID(), featureId: `thing-${number % 100}`, bytes }
      }
      const underWay = Array.from({ length: senders }, nextFile)
      const acknowledged = new Map<string, File>()

      for (let round = 0; round < rounds; round++) {
        await using server = await startServer({ ...settingsOf(database.location), ...settings })
        // Kills at another step each time: between two pieces, before the last, during the examination, after
        // it.
        const answersBeforeKill = 9 + Math.floor((30 * round) / rounds)
        let answers = 0
        let isKilled = false
        const countAnswer = () => {
          if (++answers < answersBeforeKill || isKilled) return
          isKilled = true
          server.kill('SIGKILL')
        }
        await Promise.all(
          underWay.map(async (_file, sender) => {
            while (!isKilled) {
              const file = underWay[sender] as File
              try {
                await send(server, headers, file, countAnswer)
                acknowledged.set(file.id, file)
                underWay[sender] = nextFile()
              } catch (error) {
                if (!isKilled) throw error
              }
            }
          }),
        )
        await server.exited
        await expectAllInPlace(database, acknowledged)
      }

      await using server = await startServer({ ...settingsOf(database.location), ...settings })
      for (const file of underWay) {
        await send(server, headers, file, () => {})
        acknowledged.set(file.id, file)
      }
      const { files, uploads } = await expectAllInPlace(database, acknowledged)
      expect(uploads).toEqual([])
      expect(files).toHaveLength(acknowledged.size)
      expect(acknowledged.size).toBeGreaterThan(rounds)
    },
    18_000 * rounds,
  )
})

async function send(
  { url }: ServerProcess,
  headers: Record<string, string>,
  { id, featureId, bytes }: File,
  countAnswer: () => void,
) {
  const path = `${url}/api/maps/oak-hills/uploads`
  const ask = async (address: string, request: RequestInit): Promise<UploadState> => {
    const answer = await fetch(address, request)
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
    const state = await answer.json()
    countAnswer()
    return state
  }
  const announced = { id, featureId, name: 'a file', size: bytes.length, sha256: sha256Of(bytes) }
  const asJson = { ...headers, 'content-type': 'application/json' }
  let state = await ask(path, { method: 'POST', headers: asJson, body: JSON.stringify(announced) })
  const length = Math.ceil(bytes.length / piecesOfFile)
  const asBytes = { ...headers, 'content-type': 'application/octet-stream' }
  while (state.file === null) {
    const offset = Math.min(state.received, bytes.length - 1)
    const body = new Uint8Array(bytes.subarray(offset, offset + length))
    state = await ask(`${path}/${id}?offset=${offset}`, { method: 'PUT', headers: asBytes, body })
  }
}

async function expectAllInPlace({ read, location }: TestDatabase, acknowledged: ReadonlyMap<string, File>) {
  const files = await read.selectFrom('files').selectAll().execute()
  const blobs = await read.selectFrom('blobs').selectAll().execute()
  const uploads = await read.selectFrom('uploads').selectAll().execute()
  const folder = join(location.dataDirectory, 'files')
  const paths = filesBelow(folder).filter((path) => path !== storeIdKey)

  const knownHashes = new Set(blobs.map(({ sha256 }) => sha256))
  const onTheWay = new Set(uploads.map(({ id }) => id))
  for (const path of paths) {
    const name = path.split('/').at(-1) ?? ''
    const isKnown = path.includes('/uploads/')
      ? onTheWay.has(name.slice(0, 36))
      : knownHashes.has(name.slice(0, 64))
    expect(isKnown, `${path} has a row`).toBe(true)
  }
  for (const { original, large, small } of files)
    for (const sha256 of [original, large, small]) {
      if (sha256 === null) continue
      expect(knownHashes).toContain(sha256)
      const path = join(folder, 'oak-hills', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
      expect(sha256Of(readFileSync(path)), path).toBe(sha256)
    }
  for (const [id, { bytes }] of acknowledged)
    expect(files.filter((file) => file.id === id).map(({ original }) => original)).toEqual([sha256Of(bytes)])
  const recorded = await read.selectFrom('activity').select('id').where('action', '=', 'file.added').execute()
  expect(recorded).toHaveLength(files.length)
  return { files, uploads }
}
