import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'poa-reports-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function reportFile(content: unknown): string {
  const path = join(folder, 'report.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const well = { exitCode: 0, lastWords: '' }
const badly = { exitCode: 1, lastWords: 'Unhandled rejection: read ECONNRESET' }

const vitest = { numPassedTests: 3, numPendingTests: 0, numTodoTests: 0, testResults: [] }
const playwright = { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, suites: [] }
const readers = [
  ['Vitest', readVitestReport, vitest],
  ['Playwright', readPlaywrightReport, playwright],
] as const
const timed = { name: 'a.test.ts', startTime: 1_000, endTime: 3_500 }
const durations = [{ file: 'a.test.ts', ms: 2_500 }]
const failedAs = (counts: object, test: string, message: string) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [{ test, message: expect.stringContaining(message) }],
  durations: [],
  ...counts,
})

describe.each(readers)('the report of %s', (_, read, report) => {
  it('counts its tests', () => {
    expect(read(reportFile(report), well)).toEqual({
      passed: 3,
      failed: 0,
      skipped: 0,
      failures: [],
      durations: [],
    })
  })

  it('fails if it is missing', () => {
    expect(read(join(folder, 'missing.json'), well)).toEqual(failedAs({}, 'the run', 'no test failed'))
    expect(read(join(folder, 'missing.json'), badly)).toEqual(failedAs({}, 'the run', 'exit code 1'))
  })

  it('fails if it cannot be read', () => {
    expect(read(reportFile('{'), well)).toEqual(failedAs({}, 'the run', 'report.json cannot be read'))
    expect(read(reportFile({}), well)).toEqual(failedAs({}, 'the run', 'report.json cannot be read'))
  })

  it('fails with the last output if the run failed without a failing test', () => {
    const expected = (words: string) => failedAs({ passed: 3 }, 'the run', words)
    expect(read(reportFile(report), badly)).toEqual(expected('exit code 1'))
    expect(read(reportFile(report), badly)).toEqual(expected('read ECONNRESET'))
  })
})

describe('reports without a failed test', () => {
  it('fail if no test ran', () => {
    const nothing = { ...vitest, numPassedTests: 0, numPendingTests: 2 }
    expect(readVitestReport(reportFile(nothing), well)).toMatchObject({ passed: 0, failed: 1, skipped: 2 })
  })

  it('fail if a file could not be loaded', () => {
    const file = { ...timed, status: 'failed', message: 'no such module', assertionResults: [] }
    const report = readVitestReport(reportFile({ ...vitest, testResults: [file] }), badly)
    expect(report).toEqual(failedAs({ passed: 3, durations }, 'a.test.ts', 'no such module'))
  })

  it('fail if a journey was flaky', () => {
    const flaky = { stats: { ...playwright.stats, flaky: 1 }, suites: [] }
    expect(readPlaywrightReport(reportFile(flaky), well)).toMatchObject({ passed: 3, failed: 1 })
  })
})

describe('a failed test', () => {
  it('counts once, although its file failed too', () => {
    const test = { status: 'failed', fullName: 'maps are made', failureMessages: ['expected 1 to be 2'] }
    const file = { ...timed, status: 'failed', assertionResults: [{ status: 'passed' }, test] }
    const report = readVitestReport(reportFile({ ...vitest, testResults: [file] }), badly)
    const expected = failedAs({ passed: 3, durations }, 'a.test.ts › maps are made', 'expected 1 to be 2')
    expect(report).toEqual(expected)
  })

  it('is found in nested suites', () => {
    const journey = (status: string, title: string) => ({
      file: 'a.spec.ts',
      line: 7,
      title,
      tests: [{ status, results: [{ duration: 700, errors: [{ message: 'not visible' }] }] }],
    })
    const suite = {
      file: 'a.spec.ts',
      specs: [journey('expected', 'opens')],
      suites: [{ specs: [journey('unexpected', 'closes')] }],
    }
    const report = { stats: { ...playwright.stats, unexpected: 1 }, suites: [suite] }
    const expected = failedAs(
      { passed: 3, durations: [{ file: 'a.spec.ts', ms: 1_400 }] },
      'a.spec.ts:7 › closes',
      'not visible',
    )
    expect(readPlaywrightReport(reportFile(report), badly)).toEqual(expected)
  })
})
