import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPage } from './build.mjs'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { installTools } from './install-tools.mjs'
import { isStopping, run } from './processes.mjs'
import { root, say, secondsSince } from './root.mjs'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'

// npm test: every check there is. npm test -- lint types build unit e2e: only those named; anything else
// on the command line goes to Vitest, so npm test -- unit server/tiles runs the tests of one folder.

const steps = {
  lint: { title: 'Lint', check: lint },
  types: { title: 'Types', check: checkTypes },
  build: { title: 'Page', check: buildThePage },
  unit: { title: 'Unit and route tests', check: testUnits, tools: ['postgres', 'gdal'] },
  e2e: { title: 'Browser journeys', check: testJourneys, tools: ['postgres', 'chromium'] },
}

const passed = { passed: 1, failed: 0, skipped: 0 }
const failed = { passed: 0, failed: 1, skipped: 0 }

const args = process.argv.slice(2)
const isStep = (arg) => Object.hasOwn(steps, arg)
const chosen = args.some(isStep)
  ? Object.keys(steps).filter((step) => args.includes(step))
  : Object.keys(steps)
const filters = args.filter((arg) => !isStep(arg))

await install()
const node = projectNode()
const reports = mkdtempSync(join(tmpdir(), 'poa-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
const missingTools = installTools([...new Set(chosen.flatMap((step) => steps[step].tools ?? []))])
const total = { passed: 0, failed: 0, skipped: 0 }
let isPageBuilt = true

for (const step of chosen) {
  const { title, check } = steps[step]
  say(`\n${title} ...`)
  const start = Date.now()
  const counts = await check()
  if (isStopping()) process.exit(130)
  say(`${title}: ${describe(counts)} in ${secondsSince(start)}`)
  for (const outcome of Object.keys(total)) total[outcome] += counts[outcome]
}
say(`\n${describe(total)}`)
process.exit(total.failed === 0 ? 0 : 1)

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

async function lint() {
  const style = await quietly('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
  const deadCode = await quietly('knip/bin/knip.js', [])
  return style && deadCode ? passed : failed
}

async function checkTypes() {
  return (await quietly('typescript/bin/tsc', ['--noEmit'])) ? passed : failed
}

async function buildThePage() {
  isPageBuilt = await buildPage()
  return isPageBuilt ? passed : failed
}

async function testUnits() {
  const report = join(reports, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const exitCode = await runTool('vitest/vitest.mjs', ['run', ...reporters, ...filters])
  return readVitestReport(report, exitCode)
}

async function testJourneys() {
  if (!isPageBuilt) {
    say('There is no page to test.')
    return failed
  }
  const report = join(reports, 'playwright.json')
  // Without a browser the journeys are only counted.
  const isCounting = missingTools.includes('chromium') && !process.env.CI
  if (isCounting) say('Skipped for want of a browser.')
  const exitCode = await runTool(
    '@playwright/test/cli.js',
    ['test', '--reporter=list,json', ...(isCounting ? ['--list'] : [])],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  const counts = readPlaywrightReport(report, exitCode)
  return isCounting && counts.skipped > 0 ? { passed: 0, failed: 0, skipped: counts.skipped } : counts
}

/** Shows what a tool says only if it fails. */
async function quietly(tool, args) {
  let output = ''
  const onOutput = (text) => {
    output += text
  }
  const exitCode = await run([node, join('node_modules', tool), ...args], {
    cwd: root,
    env: projectEnvironment(),
    onOutput,
  })
  if (exitCode !== 0) process.stderr.write(output)
  return exitCode === 0
}

function runTool(tool, args, environment = {}) {
  return run([node, join('node_modules', tool), ...args], {
    cwd: root,
    env: { ...projectEnvironment(), ...environment },
  })
}
