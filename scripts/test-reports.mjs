import { existsSync, readFileSync } from 'node:fs'

// What Vitest and Playwright counted. A run that leaves no report, or ran no test, is a failure.

/** @returns {{ passed: number, failed: number, skipped: number }} */
export function readVitestReport(path, exitCode) {
  return settle(path, exitCode, (report) => {
    // A file that cannot even be loaded has no test that could fail.
    const brokenFiles = report.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  })
}

export function readPlaywrightReport(path, exitCode) {
  return settle(path, exitCode, ({ stats }) => ({
    passed: stats.expected,
    // There are no retries, so nothing should ever be flaky.
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }))
}

function settle(path, exitCode, count) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  try {
    if (existsSync(path)) Object.assign(counts, count(JSON.parse(readFileSync(path, 'utf8'))))
  } catch (error) {
    process.stderr.write(`The report ${path} cannot be read: ${error.message}\n`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const ranNothing = counts.passed + counts.failed === 0
  if (counts.failed === 0 && (exitCode !== 0 || ranNothing)) counts.failed = 1
  return counts
}
