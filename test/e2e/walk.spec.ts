import { walk } from '../walk/walk.ts'
import { expect, test } from './fixtures.ts'
import { serveProject } from './served-project.ts'

// A short random walk; npm run walk takes long ones. The seeds are such that the network goes away and comes back, and
// settings are applied and restored, while two people are at work.

const stepsOfShortWalk = 25

for (const seed of ['oak', 'elm'])
  test(`two people who do random valid things break nothing (${seed})`, async ({
    browser,
    tiles,
  }, testInfo) => {
    test.setTimeout(240_000)
    await using server = await serveProject({ tileAddress: tiles.address, hasSampleData: true })
    const { steps, faults, picture } = await walk({
      browser,
      url: server.url,
      seed,
      isOver: (taken) => taken >= stepsOfShortWalk,
    })
    await testInfo.attach('steps', { body: JSON.stringify({ seed, steps }), contentType: 'application/json' })
    if (picture) await testInfo.attach('page', { body: picture, contentType: 'image/png' })
    expect(faults, 'what went wrong after the last step').toEqual([])
    expect(steps).toHaveLength(stepsOfShortWalk)
  })
