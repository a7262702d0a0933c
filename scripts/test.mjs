import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildPage } from './build.mjs'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { installTools } from './install-tools.mjs'
import { isStopping, run } from './processes.mjs'
import { root, say, secondsSince } from './root.mjs'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'

// npm test: all checks. npm test -- lint types build unit e2e: only these; other arguments go to Vitest, as in npm test
// -- unit server/tiles. npm run test:long: all checks, with many more runs of property tests and fuzzers. Lint, types
// and build run one after another beside the unit tests; journeys run alone, as they wait for rendering.

const steps = {
  lint: { title: 'Lint', check: lint },
  types: { title: 'Types', check: checkTypes },
  build: { title: 'Page', check: buildThePage },
  unit: {
    title: 'Unit and route tests',
    check: testUnits,
    tools: ['postgres', 'gdal', 'python', 'curl', 'r', 'qgis'],
  },
  e2e: { title: 'Browser journeys', check: testJourneys, tools: ['postgres', 'chromium'] },
}

const shownDurations = 8

/** Characters. */
const maxLastWords = 5_000

/** Bytes that the temporary files of the tests never reach. */
const enoughMemory = 6 * 2 ** 30

const isLong = process.argv.includes('--long')
const args = process.argv.slice(2).filter((arg) => arg !== '--long')
const isStep = (arg) => Object.hasOwn(steps, arg)
const isChosen = (step) => args.includes(step) || (step === 'build' && args.includes('e2e'))
const chosen = args.some(isStep) ? Object.keys(steps).filter(isChosen) : Object.keys(steps)
const filters = args.filter((arg) => !isStep(arg))

await install()
const node = projectNode()
const reports = mkdtempSync(join(tmpdir(), 'poa-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
const missingTools = installTools([...new Set(chosen.flatMap((step) => steps[step].tools ?? []))])
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
let isPageBuilt = true

const isChecked = (step) => chosen.includes(step)
const inTurn = async (some) => {
  for (const step of some.filter(isChecked)) await runStep(step)
}
await Promise.all([inTurn(['lint', 'types', 'build']), inTurn(['unit'])])
await inTurn(['e2e'])
// At the end, as the beginning of long output may be cut off.
for (const { test, message } of failures)
  say(`\nFailed: ${test}\n${stripVTControlCharacters(message).trim()}`)
say(`\n${describe(total)}`)
process.exit(total.failed === 0 ? 0 : 1)

async function runStep(step) {
  const { title, check } = steps[step]
  say(`\n${title} ...`)
  const start = Date.now()
  const report = await check()
  if (isStopping()) process.exit(130)
  say(`\n${title}: ${describe(report)} in ${secondsSince(start)}`)
  if (report.durations.length > 0) say(`Longest: ${describeLongest(report.durations)}`)
  for (const outcome of Object.keys(total)) total[outcome] += report[outcome]
  failures.push(...report.failures)
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function describeLongest(durations) {
  return durations
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, shownDurations)
    .map(({ file, ms }) => `${relative(root, resolve(root, file))} ${Math.round(ms / 1000)} s`)
    .join(', ')
}

async function lint() {
  const style = await quietly('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
  const deadCode = await quietly('knip/bin/knip.js', [])
  return oneCheck([...style, ...deadCode])
}

async function checkTypes() {
  return oneCheck(await quietly('typescript/bin/tsc', ['--noEmit']))
}

async function buildThePage() {
  isPageBuilt = await buildPage()
  return oneCheck(isPageBuilt ? [] : [{ test: 'vite build', message: '' }])
}

async function testUnits() {
  const report = join(reports, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return readVitestReport(report, await runTool('vitest/vitest.mjs', ['run', ...reporters, ...filters]))
}

async function testJourneys() {
  if (!isPageBuilt) {
    return oneCheck([{ test: 'Browser journeys', message: 'There is no page to test.' }])
  }
  const report = join(reports, 'playwright.json')
  // Without a browser, journeys are only counted.
  const isCounting = missingTools.includes('chromium') && !process.env.CI
  if (isCounting) say('Skipped for want of a browser.')
  const ending = await runTool(
    '@playwright/test/cli.js',
    ['test', '--reporter=list,json', ...(isCounting ? ['--list'] : [])],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  const counted = readPlaywrightReport(report, ending)
  return isCounting && counted.skipped > 0 ? { ...counted, failed: 0, failures: [] } : counted
}

/** A check without tests counts as one test. */
function oneCheck(failures) {
  const isPassed = failures.length === 0
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0, failures, durations: [] }
}

/** Shows the output only on failure. */
async function quietly(tool, args) {
  let message = ''
  const onOutput = (text) => {
    message += text
  }
  const exitCode = await run([node, join('node_modules', tool), ...args], {
    cwd: root,
    env: projectEnvironment(),
    onOutput,
  })
  return exitCode === 0 ? [] : [{ test: tool, message }]
}

/** Shows stderr, and keeps its end. */
async function runTool(tool, args, environment = {}) {
  let lastWords = ''
  const onErrors = (text) => {
    process.stderr.write(text)
    lastWords = `${lastWords}${text}`.slice(-maxLastWords)
  }
  const exitCode = await run([node, join('node_modules', tool), ...args], {
    cwd: root,
    env: {
      ...projectEnvironment(),
      ...temporaryFolder(),
      ...(isLong ? { TEST_LONG: 'yes' } : {}),
      ...environment,
    },
    onErrors,
  })
  return { exitCode, lastWords }
}

/** In memory if there is enough: waiting for the disk takes a fifth of the unit tests. */
function temporaryFolder() {
  const path = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize > enoughMemory ? { TMPDIR: path } : {}
  } catch {
    return {}
  }
}
