import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Gigabytes of files: deleted even if a run is interrupted.

const folders = new Set<string>()
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

export function makeTemporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  folders.add(folder)
  return {
    folder,
    remove() {
      rmSync(folder, { recursive: true, force: true })
      folders.delete(folder)
    },
  }
}
