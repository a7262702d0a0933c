import { expect, it, onTestFinished, vi } from 'vitest'
import { maxPieceBytes } from '#domain/files/file.schema.ts'
import { onEachEngine } from '#test/databases.ts'
import { filesBelow } from '#test/file-bytes.ts'
import { startImports } from '#test/import-drafts.ts'
import { importsFolder } from './working-folder.ts'

// A line that is longer than any row can be is refused as soon as it is too long, and not read as a whole.

const megabyte = 1024 ** 2
/** What the process that reads it may have for its objects, in megabytes. */
const heap = 128
const filling = Buffer.alloc(maxPieceBytes, 'x')

onEachEngine('a file of one endless line', (createDatabase) => {
  it.each([
    ['csv', 30, 'id,name,lat,lon\n1,"', 'a row is longer than 16 MB, so a quote may not be closed'],
    ['json', 80, '[{"id":1,"name":"', 'The JSON value at line 1, column 2 (byte 1) is longer than 64 MB.'],
    ['kml', 80, '<kml><Document><Placemark><name>', 'a Placemark is longer than 64 MB'],
  ])('of %s is refused, and leaves nothing', { timeout: 60_000 }, async (ending, megabytes, start, words) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('NODE_OPTIONS', `--max-old-space-size=${heap}`)
    const database = await createDatabase()
    const { app, ask, good, announce, done } = await startImports(database)
    const size = megabytes * megabyte
    const id = await announce({ name: `long.${ending}`, size })
    for (let offset = 0; offset < size; offset += maxPieceBytes) {
      const piece = filling.subarray(0, Math.min(maxPieceBytes, size - offset))
      const bytes = offset === 0 ? Buffer.concat([Buffer.from(start), piece.subarray(start.length)]) : piece
      await good('PUT', `/${id}/files/0?offset=${offset}`, bytes)
    }
    const { state, problem } = await done(id)
    expect(problem).toContain(words)
    expect(state).toBe('refused')
    expect(filesBelow(importsFolder(database.location.dataDirectory))).toEqual([])
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expect(filesBelow(app.store.place)).toEqual([])
  })
})
