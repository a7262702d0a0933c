import { FixableError } from '../domain-error.ts'

/** Each applies to its own minor version. */
const fixedIn = [
  [3, 51, 3],
  [3, 50, 7],
  [3, 44, 6],
] as const

/**
 * Throws a FixableError for an SQLite that can corrupt our database: up to 3.51.2, resetting the write-ahead
 * log while another connection commits can lose a commit (https://sqlite.org/wal.html#walresetbug). Checks
 * SQLite's own version, because some builds of Node link the system's library.
 */
export function requireSafeSqlite(version = process.versions.sqlite ?? '0'): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [newest] = fixedIn
  const isNewer = major > newest[0] || (major === newest[0] && minor > newest[1])
  const isFixed = fixedIn.some(([ofMajor, ofMinor, least]) => {
    return major === ofMajor && minor === ofMinor && patch >= least
  })
  if (isNewer || isFixed) return
  throw new FixableError(
    `This Node has SQLite ${version}, which can corrupt the database when several connections use it at once. ` +
      'Use a Node with SQLite 3.51.3 or newer (or 3.50.7, or 3.44.6). The Node that npm start installs has one.',
  )
}
