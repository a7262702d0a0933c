import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { contentOf, fillDatabase, hashIn, runBackup, runRestore } from '#test/databases/backups.ts'
import { onEngine } from '#test/databases/databases.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'poa-commands-'))
const nowhere = { dataDirectory: join(folder, 'misspelt'), databaseUrl: undefined }
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([
  ['backup', runBackup],
  ['restore', runRestore],
] as const)('npm run %s', (name, run) => {
  it('shows help', async () => {
    for (const args of [[], ['--help'], ['file', '-h']]) {
      const { code, output } = await run(nowhere, ...args)
      expect(code).toBe(0)
      expect(output).toContain(`npm run ${name} -- FILE`)
    }
  })

  it.each([
    [['file', '--colour'], "Unknown option '--colour'. See --help.\n"],
    [['one', 'two'], 'only one file is allowed; unexpected "two". See --help.\n'],
  ])('rejects the arguments %j', async (args, output) => {
    expect(await run(nowhere, ...args)).toEqual({ code: 2, output })
  })
})

describe('npm run backup', () => {
  it('does not create a missing database', async () => {
    const output = `There is no database in ${nowhere.dataDirectory} (DATA_DIR).\n`
    expect(await runBackup(nowhere, join(folder, 'x.gz'))).toEqual({ code: 1, output })
    expect(existsSync(nowhere.dataDirectory)).toBe(false)
  })

  it('reports an unwritable file and an unreachable database', async () => {
    const dataDirectory = join(folder, 'data')
    const database = await openDatabase({ dataDirectory, databaseUrl: undefined })
    await migrate(database)
    await database.close()
    const missing = join(folder, 'no', 'such')
    expect(await runBackup({ dataDirectory, databaseUrl: undefined }, join(missing, 'x.gz'))).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${missing} cannot be written to: ENOENT`),
    })
    const away = { dataDirectory, databaseUrl: 'postgres://poa@127.0.0.1:1/poa' }
    expect(await runBackup(away, join(folder, 'x.gz'))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^No backup was written\. Cannot reach the database: .*\n$/),
    })
    expect(readdirSync(folder)).toEqual(['data'])
  })
})

describe('npm run restore', () => {
  it.each([
    [['missing.gz'], 1, /^missing\.gz cannot be read: ENOENT.*\n$/],
    [['server'], 1, /^server is not a file\.\n$/],
    [
      ['README.md', '--check'],
      1,
      /^README\.md cannot be restored: this is not a backup of .* Nothing was changed\.\n$/,
    ],
    [['README.md', '--check', '--replace'], 2, /^--check and --replace cannot be combined.*\n$/],
  ])('fails with one line and an exit code: %j', async (args, code, line) => {
    const ended = await runRestore(nowhere, ...args)
    expect(ended.code).toBe(code)
    expect(ended.output).toMatch(line)
    expect(existsSync(nowhere.dataDirectory)).toBe(false)
  })
})

onEngine('sqlite', 'moving a database', (createDatabase) => {
  onEngine('postgres', 'moving', (createPostgres) => {
    it('loses nothing between the engines, in both directions', async () => {
      const sqlite = await createDatabase()
      await fillDatabase(sqlite)
      const file = join(folder, 'moving.gz')
      const first = await runBackup(sqlite.location, file)
      expect(await runRestore(nowhere, file, '--check')).toMatchObject({ code: 0 })
      const postgres = await createPostgres()
      expect(hashIn(await runRestore(postgres.location, file))).toBe(hashIn(first))
      expect(await contentOf(postgres)).toEqual(await contentOf(sqlite))
      expect(hashIn(await runBackup(postgres.location, file, '--force'))).toBe(hashIn(first))
      expect(hashIn(await runRestore(sqlite.location, file, '--replace'))).toBe(hashIn(first))
    })
  })
})
