import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'poa-scratch-'
/** A process id is valid only on its own machine. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

export const scratchName = (rest: string, pid = process.pid) => `${prefix}${machine}-${pid}-${rest}`

/** Longer than any work: older files belong to killed processes. */
const retentionMs = 86_400_000

/** Removes temporary files of killed processes; those of other machines after a day. */
export async function removeOldScratch(folders: Iterable<string>, now: number) {
  for (const folder of new Set(folders))
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(prefix)) continue
      const path = join(folder, name)
      // Another process may delete it first; files of other users cannot be deleted.
      const found = await stat(path).catch(() => undefined)
      if (found && (found.mtimeMs < now - retentionMs || isOfDeadProcess(name, found.mtimeMs)))
        await rm(path, { recursive: true, force: true }).catch(() => {})
    }
}

function isOfDeadProcess(name: string, changedAt: number): boolean {
  const [fileMachine, pid] = name.slice(prefix.length).split('-')
  if (fileMachine !== machine || !/^\d+$/.test(pid ?? '')) return false
  // In a container every server has the same id: this one was started later.
  if (Number(pid) === process.pid) return changedAt < Date.now() - process.uptime() * 1_000
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

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
