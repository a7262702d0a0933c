import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startPhotoMaker } from './photo-maker.ts'

const processes = JSON.stringify(new URL('../processes/processes.ts', import.meta.url).href)

function makerThat(work: string, limitMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-photo-maker-'))
  const file = join(folder, 'worker.mjs')
  writeFileSync(
    file,
    `import { answerOrder } from ${processes}
    answerOrder(async () => { ${work} }, { memoryLimitBytes: ${300 * 1024 ** 2} })`,
  )
  const photos = startPhotoMaker(limitMs, pathToFileURL(file))
  onTestFinished(() => {
    photos.close()
    rmSync(folder, { recursive: true })
  })
  return photos
}

it.each([
  [
    'needs too much memory',
    'const taken = []; for (;;) taken.push(Buffer.alloc(2 ** 24, 1))',
    60_000,
    /too much memory to read. Save it as JPEG, or make it smaller/,
  ],
  ['ends its process', 'process.exit(1)', 60_000, /stopped unexpectedly/],
  ['hangs', 'for (;;);', 1_000, /took longer than 1 seconds to read/],
])('rejects a photo that %s', async (_, work, limitMs, words) => {
  const fields = [{ field: 'file', reason: expect.stringMatching(words) }]
  await expect(makerThat(work, limitMs).make(Buffer.alloc(1))).rejects.toMatchObject({ fields })
})
