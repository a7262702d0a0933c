import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What lasts only while it is used is called so, wherever it stands. */
export const scratchName = (rest: string) => `poa-${rest}`

/** A file that only lasts while it is used; nobody else reads it. */
export async function withScratchFile<Result>(
  name: string,
  content: string | Uint8Array,
  use: (path: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), scratchName('')))
  try {
    const path = join(folder, name)
    writeFileSync(path, content)
    return await use(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
