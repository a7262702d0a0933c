import { existsSync, readFileSync } from 'node:fs'

// Results of Vitest and Playwright. A run without a report or without tests is a failure, and so is a run that failed
// although no test did, such as by an unhandled error: then the end of its output is the reason.

/** @typedef {{ test: string, message: string }} Failure */

/** @typedef {{ file: string, ms: number }} Duration, the sum of all tests of a file */
/** @typedef {{ passed: number, failed: number, skipped: number, failures: Failure[], durations: Duration[] }} Report */

/** @typedef {{ exitCode: number, lastWords: string }} Ending, with the end of stderr */

/** @param {Ending} ending @returns {Report} */
export function readVitestReport(path, ending) {
  return settle(path, ending, (report) => {
    const failures = report.testResults.flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === 'failed')
      if (file.status === 'failed' && failed.length === 0) return [{ test: file.name, message: file.message }]
      return failed.map((test) => ({
        test: `${file.name} › ${test.fullName}`,
        message: test.failureMessages.join('\n'),
      }))
    })
    return {
      passed: report.numPassedTests,
      failed: failures.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures,
      durations: report.testResults.map(({ name, startTime, endTime }) => ({
        file: name,
        ms: endTime - startTime,
      })),
    }
  })
}

/** @param {Ending} ending @returns {Report} */
export function readPlaywrightReport(path, ending) {
  return settle(path, ending, ({ stats, suites }) => ({
    passed: stats.expected,
    // There are no retries, so nothing should be flaky.
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: suites.flatMap(failuresOfSuite),
    durations: suites.map((suite) => ({ file: suite.file, ms: msOfSuite(suite) })),
  }))
}

/** @returns {number} */
function msOfSuite({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results)
  const ofItsOwn = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + msOfSuite(suite), ofItsOwn)
}

function failuresOfSuite({ suites = [], specs = [] }) {
  const failed = specs.filter(({ tests }) =>
    tests.some(({ status }) => status === 'unexpected' || status === 'flaky'),
  )
  const ofItsOwn = failed.map(({ file, line, title, tests }) => ({
    test: `${file}:${line} › ${title}`,
    message: tests
      .flatMap((test) => test.results)
      .flatMap((result) => result.errors)
      .map((error) => error.message)
      .join('\n'),
  }))
  return [...ofItsOwn, ...suites.flatMap(failuresOfSuite)]
}

function settle(path, { exitCode, lastWords }, read) {
  const report = { passed: 0, failed: 0, skipped: 0, failures: [], durations: [] }
  try {
    if (existsSync(path)) Object.assign(report, read(JSON.parse(readFileSync(path, 'utf8'))))
  } catch (error) {
    const failure = { test: 'the run', message: `Its report ${path} cannot be read: ${error.message}` }
    return { passed: 0, failed: 1, skipped: 0, failures: [failure], durations: [] }
  }
  const ranNothing = report.passed + report.failed === 0
  if (report.failed === 0 && (exitCode !== 0 || ranNothing)) {
    report.failed = 1
    const message = `It ended with exit code ${exitCode}, and no test failed.\n${lastWords}`
    report.failures = [{ test: 'the run', message }]
  }
  return report
}
