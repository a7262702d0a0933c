import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Report } from './report.ts'

let folder = ''
const startedIn = process.cwd()
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'poa-report-')))
})
afterEach(() => {
  process.chdir(startedIn)
  rmSync(folder, { recursive: true })
})

it('lists rows as CSV beside the input, replacing an older report', () => {
  const path = join(folder, 'fires.csv.report.csv')
  writeFileSync(path, 'old')
  const report = new Report(join(folder, 'fires.csv'))
  report.add({ rowNumber: 1, line: 2, sourceId: 'a,b', outcome: 'refused', reason: 'title "x" is long' })
  report.add({ rowNumber: 7, outcome: 'repaired', reason: 'crosses' })
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(report.finish()).toEqual({ path })
  expect(readFileSync(path, 'utf8')).toBe(
    'row,line,id,outcome,reason\n1,2,"a,b",refused,"title ""x"" is long"\n7,,,repaired,crosses\n',
  )
  expect(readdirSync(folder)).toEqual(['fires.csv.report.csv'])
})

it('is readable only by its owner, even if an older report was open to others', () => {
  const path = join(folder, 'fires.csv.report.csv')
  const rights = (file: string) => (statSync(join(folder, file)).mode & 0o777).toString(8)
  const previousMask = process.umask(0)
  try {
    writeFileSync(path, 'old')
    expect(rights('fires.csv.report.csv')).toBe('666')
    const report = new Report(join(folder, 'fires.csv'))
    report.add({ rowNumber: 1, outcome: 'refused', reason: 'owner: Rosa Whitfield has no lot' })
    expect(readdirSync(folder).map(rights).sort()).toEqual(['600', '666'])
    report.finish()
    expect(readdirSync(folder).map(rights)).toEqual(['600'])
  } finally {
    process.umask(previousMask)
  }
})

it('is complete if two imports of one file run at once: the later one stays', () => {
  const path = join(folder, 'fires.csv.report.csv')
  const [one, other, failing] = [1, 2, 3].map(() => new Report(join(folder, 'fires.csv')))
  one?.add({ rowNumber: 1, outcome: 'refused', reason: 'of the one' })
  other?.add({ rowNumber: 1, outcome: 'refused', reason: 'of the other' })
  failing?.discard()
  for (const [report, whose] of [
    [other, 'other'],
    [one, 'one'],
  ] as const) {
    expect(report?.finish()).toEqual({ path })
    expect(readFileSync(path, 'utf8')).toBe(`row,line,id,outcome,reason\n1,,,refused,of the ${whose}\n`)
  }
  expect(readdirSync(folder)).toEqual(['fires.csv.report.csv'])
})

it('writes no report if there is nothing to report', () => {
  writeFileSync(join(folder, 'fires.csv.report.csv'), 'old')
  expect(new Report(join(folder, 'fires.csv')).finish()).toEqual({ path: null })
  expect(readdirSync(folder)).toEqual([])
})

it('keeps an older report if the import failed', () => {
  writeFileSync(join(folder, 'fires.csv.report.csv'), 'old')
  const report = new Report(join(folder, 'fires.csv'))
  report.add({ rowNumber: 1, outcome: 'refused', reason: 'x' })
  report.discard()
  expect(readdirSync(folder)).toEqual(['fires.csv.report.csv'])
})

it('goes to the current folder if the folder of the input is read-only', () => {
  const here = join(folder, 'here')
  mkdirSync(here)
  process.chdir(here)
  const report = new Report(join(folder, 'missing', 'fires.csv'))
  report.add({ rowNumber: 1, outcome: 'refused', reason: 'x' })
  expect(report.finish()).toEqual({ path: join(here, 'fires.csv.report.csv') })
  expect(existsSync(join(here, 'fires.csv.report.csv'))).toBe(true)
})

it('contains no cell that a spreadsheet would run, and keeps numbers unchanged', () => {
  const report = new Report(join(folder, 'fires.csv'))
  const add = (sourceId: string) => report.add({ rowNumber: 1, sourceId, outcome: 'refused', reason: 'x' })
  for (const id of [
    '=1+1',
    '+SUM(A1)',
    "-2+3+cmd|' /C calc'!A0",
    '@x',
    '\t=1',
    '\r=1',
    '＝1',
    '-95.88',
    '+7',
    'a=1',
  ])
    add(id)
  const { path } = report.finish()
  const cells = readFileSync(path ?? '', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.slice('1,,'.length, -',refused,x'.length))
  expect(cells).toEqual([
    "'=1+1",
    "'+SUM(A1)",
    "'-2+3+cmd|' /C calc'!A0",
    "'@x",
    "'\t=1",
    '"\'\r=1"',
    "'＝1",
    '-95.88',
    '+7',
    'a=1',
  ])
})
