import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startPhotoMaker } from './photo-maker.ts'

const processes = JSON.stringify(new URL('../processes/processes.ts', import.meta.url).href)

function makerThat(work: string) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-photo-maker-'))
  const file = join(folder, 'worker.mjs')
  writeFileSync(
    file,
    `import { answerOrder } from ${processes}
    answerOrder(async () => { ${work} }, { memoryLimitBytes: ${300 * 1024 ** 2} })`,
  )
  const photos = startPhotoMaker(60_000, pathToFileURL(file))
  onTestFinished(() => {
    photos.close()
    rmSync(folder, { recursive: true })
  })
  return photos
}

it.each([
  [
    'takes too much memory',
    'const taken = []; for (;;) taken.push(Buffer.alloc(2 ** 24, 1))',
    /too much memory to read: save it as a JPEG, or smaller/,
  ],
  ['ends its process', 'process.exit(1)', /stopped unexpectedly/],
])('rejects a photo that %s', async (_, work, words) => {
  const fields = [{ field: 'file', reason: expect.stringMatching(words) }]
  await expect(makerThat(work).make(Buffer.alloc(1))).rejects.toMatchObject({ fields })
})
