import { times } from '#test/random/how-much.ts'
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
      due: { network: 2, apply: 6, restore: 10 },
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
    expect(steps.map(({ act }) => act)).toEqual(expect.arrayContaining(['apply', 'restore']))
  },
)
