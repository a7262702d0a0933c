import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { breakAnalyze, onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { startNode, startProcess } from '#test/server/processes.ts'
import { settingsOf } from '#test/server/server-process.ts'

// Failures after the commit are reported, but the import does not fail.

const command = 'server/imports/import.cli.ts'
const options = ['--map', 'oak-hill', '--kind', 'asset', '--client-name', 'Oak Hill']

function writeTable({ location }: TestDatabase, rows = 30) {
  const path = join(location.dataDirectory, 'hydrants.csv')
  const lines = Array.from({ length: rows }, (_, row) => `${row},H ${row},${row % 3 ? 34 : 95},-111`)
  writeFileSync(path, `id,name,lat,lng\n${lines.join('\n')}\n`)
  return path
}

const env = ({ location }: TestDatabase) => ({ ...process.env, DATABASE_URL: '', ...settingsOf(location) })

async function runInShell(database: TestDatabase, line: string, file: string) {
  const words = [process.execPath, command, file, ...options].map((word) => `'${word}'`).join(' ')
  const shell = startProcess('sh', ['-c', line.replace('$IMPORT', words)], { env: env(database) })
  await shell.exited
  return shell.output()
}

async function expectDone(database: TestDatabase, output: string) {
  const imports = await database.read.selectFrom('imports').select(['id', 'state']).execute()
  expect(imports).toEqual([{ id: expect.any(String), state: 'done' }])
  expect(output).toContain(
    `Import ${imports[0]?.id} finished. To undo it: npm run import -- --undo ${imports[0]?.id}`,
  )
  expect(output).not.toContain('failed')
  expect(await database.read.selectFrom('features').select('id').execute()).toHaveLength(20)
}

onEachEngine('a finished import succeeds', (createDatabase) => {
  it('if the same file is imported twice at once', async () => {
    const database = await createDatabase()
    const file = writeTable(database)
    const both = [1, 2].map(() => startNode(command, [file, ...options], { env: env(database) }))
    const codes = await Promise.all(both.map(({ exited }) => exited))
    const outputs = both.map((one) => one.output()).join('\n')
    expect(codes, outputs).toEqual([0, 0])
    await expectDone(database, outputs)
    expect(outputs).toContain('Nothing changed: the map is already up to date.')
    const { dataDirectory } = database.location
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('hydrants'))).toEqual([
      'hydrants.csv',
      'hydrants.csv.report.csv',
    ])
  })
})

onEngine('sqlite', 'a finished import succeeds', (createDatabase) => {
  it('if its report cannot be written', async () => {
    const database = await createDatabase()
    const file = writeTable(database)
    mkdirSync(join(`${file}.report.csv`, 'in-the-way'), { recursive: true })
    const output = await runInShell(database, '$IMPORT; echo "code $?"', file)
    await expectDone(database, output)
    expect(output).toContain('code 0')
    expect(output).toMatch(/Could not write the report of skipped and repaired rows: E\w+: /)
    expect(readdirSync(database.location.dataDirectory).filter((name) => name.endsWith('partial'))).toEqual(
      [],
    )
  })

  it('when its output is closed', async () => {
    const database = await createDatabase()
    const output = await runInShell(database, '{ $IMPORT; echo "code $?" >&2; } | :', writeTable(database))
    await expectDone(database, output)
    expect(output).toContain('code 0')
  })

  it('when its progress output is closed', async () => {
    const database = await createDatabase()
    const line = '{ { $IMPORT; echo "code $?"; } 2>&1 >&3 | :; } 3>&1'
    const output = await runInShell(database, line, writeTable(database))
    await expectDone(database, output)
    expect(output).toContain('code 0')
  })
})

onEngine('postgres', 'an import whose report has no room on the disk', (createDatabase) => {
  it('succeeds', async () => {
    const database = await createDatabase()
    const file = writeTable(database)
    // The shell's limit is in blocks of 512 bytes, and would also apply to an SQLite database of the process.
    const output = await runInShell(database, 'ulimit -f 0; $IMPORT; echo "code $?"', file)
    await expectDone(database, output)
    expect(output).toContain('code 0')
    expect(output).toContain('Could not write the report of skipped and repaired rows: EFBIG')
  })
})

onEngine('postgres', 'an import after which tidying up fails', (createDatabase) => {
  it('succeeds, and so does undoing it', async () => {
    const database = await createDatabase()
    await breakAnalyze(database)
    await storeMap(database, 'sample')
    await storeFeatures(database, [anAsset({ id: 'other', mapId: 'sample' })])
    const notice = /^Could not optimize the database: No space left\. Run npm run compact to try again\.$/m
    const file = writeTable(database, 1_800)
    const imported = await runInShell(database, '$IMPORT; echo "code $?"', file)
    expect(imported).toMatch(/^Import \w+ finished\./m)
    expect(imported).toMatch(notice)
    expect(imported).toContain('code 0')
    expect(imported).not.toContain('failed')
    const [, importId = ''] = /--undo (\w+)/.exec(imported) ?? []
    const undoing = startNode(command, ['--undo', importId], { env: env(database) })
    expect(await undoing.exited, undoing.output()).toBe(0)
    expect(undoing.output()).toMatch(notice)
    expect(undoing.output()).toContain('1,200')
    const remaining = await database.read.selectFrom('features').select('id').execute()
    expect(remaining).toEqual([{ id: 'other' }])
  })
})
