import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const namedSo = 'poa-scratch-'

/** What lasts only while it is used is called so, wherever it stands. */
export const scratchName = (rest: string) => `${namedSo}${rest}`

/** No work takes so long: whatever is older was left by a process that was killed. */
const keptMs = 86_400_000

/** Removes from folders what processes left there that were killed. */
export async function removeOldScratch(folders: Iterable<string>, now: number) {
  for (const folder of new Set(folders))
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(namedSo)) continue
      const path = join(folder, name)
      // Others may be at the same, and what somebody else left is theirs.
      const found = await stat(path).catch(() => undefined)
      if (found && found.mtimeMs < now - keptMs)
        await rm(path, { recursive: true, force: true }).catch(() => {})
    }
}

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
