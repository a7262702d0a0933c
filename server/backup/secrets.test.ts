import { join } from 'node:path'
import { expect, it } from 'vitest'
import { linesOf, runRestore } from '#test/databases/backups.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { digestOf } from '../http/audit.ts'
import { readTokenHolder } from '../identity/api-tokens.queries.ts'
import { writeBackup } from './write-backup.ts'

onEachEngine('secrets', (createDatabase) => {
  it('are in no backup, and are invalid in another database and after a restore', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const { secret } = await makeToken(database)
    const holder = () => readTokenHolder(database, secret, { digestOf, issuer: 'demo' })
    expect(await holder()).toBeDefined()
    const file = join(database.location.dataDirectory, 'one.backup.gz')
    await writeBackup(database, file, { isForced: false })
    expect(linesOf(file).join()).not.toContain('County sync')
    const ended = await runRestore(database.location, '--replace', file)
    expect(ended.code, ended.output).toBe(0)
    expect(await holder()).toBeUndefined()
  })
})
