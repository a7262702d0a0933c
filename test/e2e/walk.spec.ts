import { times } from '#test/random/how-much.ts'
import { isOfKind } from '../walk/choose-step.ts'
import { describeStep } from '../walk/step.ts'
import { walk } from '../walk/walk.ts'
import { expect, test } from './fixtures.ts'
import { serveProject } from './served-project.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// A short random walk; `npm run walk` takes long ones.

const stepCount = times(25)

test(
  'two users doing random valid steps cause no faults',
  { tag: '@painted' },
  async ({ browser, tiles }, testInfo) => {
    test.setTimeout(times(240_000))
    await using server = await serveProject({ tileAddress: tiles.address, hasSampleData: true })
    const seed = 'oak'
    const { steps, faults, picture } = await walk({
      browser,
      url: server.url,
      seed,
      isOver: (taken) => taken >= stepCount,
      due: { report: 0, network: 2, apply: 6, restore: 10, decide: 12 },
    })
    await testInfo.attach('steps', {
      body: JSON.stringify({ seed, steps }),
      contentType: 'application/json',
    })
    if (picture) await testInfo.attach('page', { body: picture, contentType: 'image/png' })
    expect(faults, `after ${steps.slice(-4).map(describeStep).join('; ')}`).toEqual([])
    expect(steps).toHaveLength(stepCount)
    const network = steps.flatMap((step) => (step.act === 'network' ? [step.isThere] : []))
    expect(network).toEqual(expect.arrayContaining([false, true]))
    for (const kind of ['apply', 'restore', 'report', 'decide'])
      expect(
        steps.filter((step) => isOfKind(step, kind)),
        kind,
      ).not.toEqual([])
    const activities = await server.database.read.selectFrom('activity').select('action').execute()
    expect(activities.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['report.received', 'report.decided']),
    )
  },
)
