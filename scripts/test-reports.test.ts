import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

const vitest = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
const playwright = { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 } }
const readers = [
  ['Vitest', readVitestReport, vitest],
  ['Playwright', readPlaywrightReport, playwright],
] as const
const oneFailure = { passed: 0, failed: 1, skipped: 0 }

describe.each(readers)('the report of %s', (_, read, report) => {
  it('is counted', () => {
    expect(read(reportFile(report), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 })
  })

  it('is a failure where it is missing', () => {
    expect(read(join(folder, 'missing.json'), 0)).toEqual(oneFailure)
    expect(read(join(folder, 'missing.json'), 1)).toEqual(oneFailure)
  })

  it('is a failure where it cannot be read', () => {
    const complaints = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(read(reportFile('{'), 0)).toEqual(oneFailure)
    expect(read(reportFile({}), 0)).toEqual(oneFailure)
    expect(complaints).toHaveBeenCalledTimes(2)
    complaints.mockRestore()
  })

  it('is a failure where the run failed without a failing test', () => {
    expect(read(reportFile(report), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })
})

describe('runs that prove nothing', () => {
  it('fail: no test ran', () => {
    const nothing = { ...vitest, numPassedTests: 0, numPendingTests: 2 }
    expect(readVitestReport(reportFile(nothing), 0)).toEqual({ passed: 0, failed: 1, skipped: 2 })
  })

  it('fail: a file could not be loaded', () => {
    const broken = { ...vitest, testResults: [{ status: 'failed', assertionResults: [] }] }
    expect(readVitestReport(reportFile(broken), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  it('count a failing test once, although its file failed too', () => {
    const failing = {
      ...vitest,
      numFailedTests: 1,
      testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }] }],
    }
    expect(readVitestReport(reportFile(failing), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  it('fail: a journey passed only the second time', () => {
    const flaky = { stats: { ...playwright.stats, flaky: 1 } }
    expect(readPlaywrightReport(reportFile(flaky), 0)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })
})
