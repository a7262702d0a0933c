import { describe, expect, it } from 'vitest'
import { requireSafeSqlite } from './sqlite.ts'

describe('requireSafeSqlite', () => {
  it.each(['3.51.3', '3.51.10', '3.52.0', '3.50.7', '3.50.8', '3.44.6', '4.0.0'])('accepts %s', (version) => {
    expect(() => requireSafeSqlite(version)).not.toThrow()
  })

  it.each(['3.51.2', '3.50.6', '3.49.9', '3.45.9', '3.44.5', '3.43.9', '2.99.99', 'unknown'])(
    'rejects %s, which can corrupt a database in WAL mode',
    (version) => {
      expect(() => requireSafeSqlite(version)).toThrow(`SQLite ${version}, which can corrupt the database`)
    },
  )

  it('accepts the version that runs these tests', () => {
    expect(() => requireSafeSqlite()).not.toThrow()
  })
})
