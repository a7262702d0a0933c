import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contentOf, fillDatabase, hashIn, runRestore } from '#test/databases/backups.ts'
import { breakAnalyze, onEngine } from '#test/databases/databases.ts'
import { writeBackup } from './write-backup.ts'

// Failures during or after the commit must not be reported as 'nothing was changed'.

onEngine('postgres', 'a committed restore', (createDatabase) => {
  async function backUp() {
    const source = await createDatabase()
    await fillDatabase(source)
    const file = join(source.location.dataDirectory, 'one.backup.gz')
    await writeBackup(source, file, { isForced: false })
    return { source, file }
  }

  it('succeeds if optimizing fails', async () => {
    const { source, file } = await backUp()
    const database = await createDatabase()
    await breakAnalyze(database)
    const ended = await runRestore(database.location, file)
    expect(ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Could not optimize the database\. .*: No space left$/m),
    })
    expect(hashIn(ended)).toBeTruthy()
    expect(ended.output).not.toContain('Nothing was changed')
    expect(await contentOf(database)).toEqual(await contentOf(source))
  })

  it('reports an unknown outcome if the connection is lost during the commit', async () => {
    const { file } = await backUp()
    const database = await createDatabase()
    await sql`
      create function lost() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`.execute(database.read)
    await sql`
      create constraint trigger lost after insert on clients deferrable initially deferred
        for each row execute function lost()`.execute(database.read)
    const { code, output } = await runRestore(database.location, file)
    expect(code, output).toBe(1)
    expect(output).toMatch(
      /^The connection to the database was lost: .*\nThe backup was restored completely/m,
    )
    expect(output).not.toContain('Nothing was changed')
  })
})
