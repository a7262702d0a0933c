import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { projectFolder } from '#test/server/processes.ts'
import playwrightConfig from '../../playwright.config.ts'
import { type ServedProject, serveProject } from '../e2e/served-project.ts'
import { startStubTiles } from '../e2e/stub-tiles.ts'
import { Reach } from './reach.ts'
import { describeStep } from './step.ts'
import { type Walk, walk } from './walk.ts'

const usage = `npm run walk -- [--minutes 30] [--seed WORD] [--leg-minutes 5] [--without network,apply] [--verbose]
npm run walk -- --replay FILE

Two browsers do random valid things with a server of their own, until the time is over or something is wrong. A walk has
legs: each begins with new people on a fresh server. What went wrong is written into test-results/walk, as steps that
--replay takes again.
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'leg-minutes': { type: 'string', default: '5' },
    seed: { type: 'string', default: new Date().toISOString() },
    replay: { type: 'string' },
    without: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}

const minute = 60_000
/** Slower legs do not count. */
const leastStepsAMinute = 40
const reach = new Reach()
const start = Date.now()
const end = start + Number(values.minutes) * minute
const replayed = values.replay
  ? (JSON.parse(readFileSync(values.replay, 'utf8')) as Pick<Walk, 'seed' | 'steps'>)
  : null
let total = 0
let walked = 0
let failed: Walk | null = null
const activities: Record<string, number> = {}

const tiles = await startStubTiles()
const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
for (let leg = 0; !failed && (replayed ? leg === 0 : Date.now() < end); leg++) {
  await using server = await serveProject({ tileAddress: tiles.address, hasSampleData: true })
  const legStart = Date.now()
  const legEnd = Math.min(end, legStart + Number(values['leg-minutes']) * minute)
  const result = await walk({
    browser,
    url: server.url,
    seed: replayed?.seed ?? `${values.seed}/${leg}`,
    ...(replayed ? { steps: replayed.steps } : {}),
    isOver: (taken) => (replayed ? taken >= replayed.steps.length : Date.now() > legEnd),
    reach,
    without: values.without.split(','),
    onStep: (step) => {
      if (values.verbose || replayed) console.log(describeStep(step))
    },
  })
  if (result.faults.length > 0) failed = result
  for (const { action, count } of await countReportActivities(server.database))
    activities[action] = (activities[action] ?? 0) + Number(count)
  const perMinute = Math.round((result.steps.length * minute) / (Date.now() - legStart))
  if (perMinute >= leastStepsAMinute) {
    total += result.steps.length
    walked += Date.now() - legStart
  }
  console.log(
    `${result.seed}: ${result.steps.length} steps, ${perMinute} a minute, ${reach.size - reach.unused.length} of ${reach.size} controls used so far`,
  )
}
await browser.close()
await tiles.close()

if (failed) report(failed)
if (reach.unused.length > 0) console.log(`Not used:\n  ${reach.unused.sort().join('\n  ')}`)
console.log(`Reports: ${JSON.stringify(activities)}`)
console.log(`${failed ? 'Failed' : 'Clean'}: ${(walked / minute).toFixed(1)} minutes, ${total} steps.`)
process.exit(failed ? 1 : 0)

function countReportActivities({ read }: ServedProject['database']) {
  return read
    .selectFrom('activity')
    .select(['action', ({ fn }) => fn.countAll().as('count')])
    .where('action', 'in', [
      'report.received',
      'report.changed',
      'report.withdrawn',
      'report.decided',
      'incident.merged',
    ])
    .groupBy('action')
    .execute()
}

function report({ seed, steps, faults, picture }: Walk) {
  const folder = join(projectFolder, 'test-results/walk')
  const name = seed.replace(/[^\w-]+/g, '_')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ seed, faults, steps }, null, 1))
  if (picture) writeFileSync(join(folder, `${name}.png`), picture)
  console.log(`\nThe last steps:\n  ${steps.slice(-8).map(describeStep).join('\n  ')}`)
  console.log(`\nWrong:\n  ${faults.join('\n  ')}`)
  console.log(`\nTo take the same steps again: npm run walk -- --replay test-results/walk/${name}.json\n`)
}
