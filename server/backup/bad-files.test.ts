import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentOf, fillDatabase, gzipLines, linesOf, runRestore } from '#test/databases/backups.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { migrate, migrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import { BackupHash } from './backup-format.ts'
import { checkBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let folder = ''
let good: string[] = []
let goodBytes: Buffer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'poa-backup-'))
  const database = await openDatabase({ dataDirectory: folder, databaseUrl: undefined })
  await migrate(database)
  await fillDatabase(database, { points: 500 })
  const path = join(folder, 'good.gz')
  await writeBackup(database, path, { isForced: false })
  await database.close()
  good = linesOf(path)
  goodBytes = readFileSync(path)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function check(bytes: Uint8Array) {
  const path = join(folder, 'file.gz')
  writeFileSync(path, bytes)
  const file = await open(path)
  return checkBackup(file, {}).finally(() => file.close())
}

const withHeader = (change: object) =>
  gzipLines([JSON.stringify({ ...JSON.parse(good[0] as string), ...change }), ...good.slice(1)])
const swapped = (from: string | RegExp, to: string) => {
  const text = good.join('\n')
  expect(text).toMatch(from)
  return gzipSync(`${text.replace(from, to)}\n`)
}
const withoutLine = (pattern: RegExp) => {
  const index = good.findIndex((line) => pattern.test(line))
  expect(index).toBeGreaterThan(0)
  return gzipLines(good.toSpliced(index, 1))
}

function forged(migrations: string[]) {
  const hash = new BackupHash()
  const header = JSON.stringify({ ...JSON.parse(good[0] as string), migrations })
  hash.add(header, { isContent: false })
  for (const line of good.slice(1, -1)) hash.add(line, { isContent: true })
  const trailer = { ...JSON.parse(good.at(-1) as string), ...hash.finish() }
  return gzipLines([header, ...good.slice(1, -1), JSON.stringify(trailer)])
}

const damaged = /^it is damaged or was modified: /
const foreign = /^this is not a backup of POA Land Management/
const newer = /newer version of this program/

describe('a file', () => {
  it('accepts a complete file', async () => {
    expect(await check(goodBytes)).toMatchObject({ rowCount: good.length - 2 - 34 })
    await check(gzipLines(good))
    await check(forged(migrations.map(({ name }) => name)))
  })

  it('rejects a file that is truncated anywhere', async () => {
    for (const share of [0.001, 0.1, 0.5, 0.9, 0.999]) {
      const cut = goodBytes.subarray(0, Math.floor(goodBytes.length * share))
      await expect(check(cut), String(share)).rejects.toThrow('it is incomplete: its end is missing')
    }
    for (const lines of [1, 2, good.length - 1])
      await expect(check(gzipLines(good.slice(0, lines)))).rejects.toThrow('it is incomplete')
    await expect(check(gzipSync(gunzipSync(goodBytes).subarray(0, -1)))).rejects.toThrow('it is incomplete')
  })

  it('rejects a file with an altered byte', async () => {
    for (const share of [0.01, 0.3, 0.7, 0.99]) {
      const bytes = Buffer.from(goodBytes)
      const at = Math.floor(bytes.length * share)
      bytes[at] = (bytes[at] as number) ^ 0x10
      await expect(check(bytes), String(share)).rejects.toThrow(/damaged|cut off/)
    }
  })

  it.each([
    ['a changed value', () => swapped('Oak Hills', 'Elm Park'), damaged],
    ['a changed author', () => swapped('"Ann"', '"Bob"'), damaged],
    [
      'a changed date in its first line',
      () => withHeader({ createdAt: '2026-01-01T00:00:00.000Z' }),
      damaged,
    ],
    ['a missing row', () => withoutLine(/^\[.*"point-17"/), /it has 504 rows of features instead of 505/],
    ['a missing table', () => withoutLine(/^\{"table":"maps"/), damaged],
    ['a wrong number of rows', () => swapped('"maps":2', '"maps":3'), /it has 2 rows of maps instead of 3/],
    ['a changed end', () => swapped(/"contentHash":"./, '"contentHash":"'), damaged],
    ['an invalid line', () => gzipLines([good[0] as string, 'x', ...good.slice(1)]), damaged],
    ['lines after its end', () => gzipLines([...good, good[1] as string]), damaged],
  ])('rejects a file with %s', async (_, make, message) => {
    await expect(check(make())).rejects.toThrow(message)
  })

  it.each([
    ['nothing', () => Buffer.alloc(0), /incomplete/],
    ['noise', () => randomBytes(5_000), foreign],
    ['an SQLite database', () => readFileSync(join(folder, 'poa.sqlite')), foreign],
    ['a backup that is not compressed', () => gunzipSync(goodBytes), foreign],
    ['gzipped nothing', () => gzipSync(''), foreign],
    ['lines of another program', () => gzipLines(['{"type":"FeatureCollection"}', '{}']), foreign],
    ['text of another program', () => gzipLines(['id,name', '1,A']), foreign],
    ['a backup of another program', () => withHeader({ project: 'other' }), foreign],
    ['a newer format', () => withHeader({ format: 2, more: [] }), newer],
  ])('rejects a file that is %s', async (_, make, message) => {
    await expect(check(make())).rejects.toThrow(message)
  })

  it('rejects a file with an unknown migration', async () => {
    await expect(check(forged(['001-initial', '999-later']))).rejects.toThrow(
      'it was made by another version of this program, no older and no newer one: ' +
        'it has 999-later, which this version does not know, and lacks 002-staff, ',
    )
    const applied = migrations.map(({ name }) => name)
    const another = [...applied.slice(0, -1), '999-later']
    await expect(check(forged(another))).rejects.toThrow(`and lacks ${applied.at(-1)}`)
    await expect(check(forged([...applied, 'later']))).rejects.toThrow('no older and no newer')
    await expect(check(forged([...applied, '998-later', '999-later']))).rejects.toThrow(
      'it was made by a newer version of this program: it has 998-later, 999-later,',
    )
  })

  it('rejects a file whose database lacked a migration', async () => {
    await expect(check(forged(['001-initial', '003-order-and-search']))).rejects.toThrow(
      'its database had 003-order-and-search, but not 002-staff, which comes before it',
    )
  })
})

onEachEngine('a bad file', (createDatabase) => {
  it('changes nothing, even with --replace', async () => {
    const database = await createDatabase()
    await fillDatabase(database)
    const before = await contentOf(database)
    const path = join(folder, 'cut.gz')
    writeFileSync(path, goodBytes.subarray(0, -100))
    const refused = `${path} cannot be restored: it is incomplete: its end is missing. Nothing was changed.`
    for (const flag of ['--replace', '--check']) {
      const { code, output } = await runRestore(database.location, path, flag)
      expect([code, output.trim().split('\n').at(-1)]).toEqual([1, refused])
    }
    expect(await contentOf(database)).toEqual(before)
  })
})
