import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Open pages still load chunks of earlier builds, so these stay for a while. Names contain hashes, so that builds
// share equal files.

const retainedDays = 7
const retainedBuilds = 5

/**
 * Records the files of a build, and removes those that belong to no retained build.
 * @param {{ folder: string, record: string, files: string[], now?: number }} build
 */
export function keepOldBuilds({ folder, record, files, now = Date.now() }) {
  const recorded = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : []
  const isSame = (build) =>
    build.files.length === files.length && build.files.every((file) => files.includes(file))
  const oldest = now - retainedDays * 86_400_000
  // Regardless of its age, as pages may have used it until now.
  const replaced = recorded
    .filter((build) => !isSame(build))
    .map((build) => ({ replacedAt: now, ...build }))
    .filter((build) => build.replacedAt >= oldest)
  const retained = [{ files }, ...replaced].slice(0, retainedBuilds)
  const names = new Set(retained.flatMap((build) => build.files))
  for (const name of readdirSync(folder)) {
    // Compressed copies too. Another build may be removing the same files.
    if (!names.has(name.replace(/\.(gz|br)$/, '')))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
  writeFileSync(record, JSON.stringify(retained))
}
