import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapId } from '#domain/values/common.schema.ts'
import { idsForName, slugOf } from './client-slug.ts'

const firstIds = (name: string, count: number) =>
  Array.from(
    { length: count },
    (
      (ids) => () =>
        ids.next().value
    )(idsForName(name)),
  )

describe('the slug of a name', () => {
  it.each([
    ['Oak Hills', 'oak-hills'],
    ['  Élan  Ridge!  ', 'elan-ridge'],
    ['St. John’s Landing', 'st-johns-landing'],
    ['Straße am Øresund', 'strasse-am-oresund'],
    ['Łódź', 'lodz'],
    ['ﬁne ½ acres', 'fine-1-2-acres'],
    ['Lot 7 / North', 'lot-7-north'],
    ['東京', 'client'],
    ['東京 7', '7'],
    ['!?', 'client'],
    ['__proto__', 'proto'],
    ['x'.repeat(200), 'x'.repeat(80)],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('%s: %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  it('is a valid map id, and so are its distinct alternatives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const ids = firstIds(name, 12)
        for (const id of ids) expect(mapId.safeParse(id).success, id).toBe(true)
        expect(new Set(ids).size).toBe(12)
      }),
    )
  })
})

describe('the ids for a name', () => {
  it('count up', () => {
    expect(firstIds('Oak Hills', 3)).toEqual(['oak-hills', 'oak-hills-2', 'oak-hills-3'])
  })

  it('skip reserved names', () => {
    expect(firstIds('Sample!', 2)).toEqual(['sample-2', 'sample-3'])
  })

  it('stay within the maximum length', () => {
    expect(firstIds('x'.repeat(100), 2)[1]).toBe(`${'x'.repeat(78)}-2`)
  })
})
