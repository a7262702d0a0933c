import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { times } from '#test/random/how-much.ts'
import { threadTime } from '#test/server/event-loop-delay.ts'
import { evaluate, isLike, type ValueType } from './cql2.ts'
import { Cql2Error, maxFilterDepth } from './cql2-tokens.ts'
import { maxFilterLength, maxPatternLength, parseCql2 } from './parse-cql2.ts'
import { crs84 } from './reference-systems.ts'

const types: Record<string, ValueType> = {
  name: 'text',
  area: 'number',
  resolved: 'flag',
  purchaseDate: 'day',
  date: 'instant',
  'zoning.type': 'text',
  'odd name': 'text',
}
const properties = new Map(Object.entries(types).map(([name, type]) => [name, { type }]))
const parse = (filter: string) => parseCql2(filter, { properties, system: crs84 })
const square = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const values = {
  name: "Lot 7, O'Neil's",
  area: 2.5,
  resolved: false,
  purchaseDate: '2015-09-12',
  date: Date.parse('2026-05-20T08:30:00Z'),
  'zoning.type': 'R-1',
  'odd name': 'yes',
}
const geometry: Geometry = { type: 'Polygon', coordinates: [square(0, 0, 2)] }
const ask = (filter: string, input: Record<string, unknown> = values) =>
  evaluate(parse(filter), { values: input, geometry })

describe('a filter', () => {
  it.each([
    "name = 'Lot 7, O''Neil''s'",
    "name <> 'Lot 8' AND area > 2",
    'area >= 2.5 and area <= +25e-1',
    'area < 3 AND NOT area < 2.5',
    'area = 1 OR area = 2 OR area = 2.5',
    'area = 2.5 OR area = 1 AND area = 2',
    '(area = 2.5 OR area = 1) AND NOT (area = 2)',
    '2 < area',
    'area BETWEEN 2 AND 2.5 AND area NOT BETWEEN 3 AND 4',
    'area IN (1, 2.5) AND area NOT IN (1, 2)',
    "name LIKE 'Lot _,%' AND name NOT LIKE 'lot%'",
    String.raw`name NOT LIKE 'Lot \_,%'`,
    "CASEI(name) LIKE CASEI('LOT%')",
    "casei(name) = casei('LOT 7, o''neil''s')",
    'area IS NOT NULL AND NOT area IS NULL',
    'resolved = FALSE AND resolved <> true',
    'false = resolved',
    'TRUE AND NOT false',
    "purchaseDate = DATE('2015-09-12') AND purchaseDate > date('2015-09-11')",
    "purchaseDate >= '2015-09-12'",
    "date = TIMESTAMP('2026-05-20T08:30:00Z')",
    "date = TIMESTAMP('2026-05-20T10:30:00+02:00')",
    "date > '2026-05-20T08:29:59.999Z'",
    "date = DATE('2026-05-20') AND date >= DATE('2026-05-20') AND date <= DATE('2026-05-20')",
    "date <> DATE('2026-05-19') AND date > DATE('2026-05-19') AND date < DATE('2026-05-21')",
    "NOT date < DATE('2026-05-20') AND NOT date > DATE('2026-05-20')",
    "date IN (DATE('2026-05-20'))",
    `"zoning.type" = 'R-1' AND zoning.type = 'R-1' AND "odd name" = 'yes'`,
    'S_INTERSECTS(geometry, POINT(1 1))',
    'S_INTERSECTS(POINT(1 1), "geometry")',
    'S_INTERSECTS(geometry, POLYGON((1 1, 5 1, 5 5, 1 1)))',
    'S_INTERSECTS(geometry, MULTIPOLYGON(((9 9,10 9,10 10,9 9)),((1 1,5 1,5 5,1 1))))',
    's_intersects(geometry, LineString(-1 1, 3 1))',
    'S_INTERSECTS(geometry, MULTIPOINT((1 1), (9 9))) AND S_INTERSECTS(geometry, MULTIPOINT(1 1, 9 9))',
    'S_INTERSECTS(geometry, MULTILINESTRING((-1 1, 3 1),(8 8, 9 9)))',
    'S_INTERSECTS(geometry, POINT Z (1 1 300))',
    'S_INTERSECTS(geometry, BBOX(1,1,5,5)) AND NOT S_INTERSECTS(geometry, BBOX(3,3,5,5))',
    'S_INTERSECTS(geometry, BBOX(1,1,0,5,5,100))',
    'S_INTERSECTS(geometry, BBOX(170,0,1,1))',
    'geometry IS NOT NULL',
    "  name\n=\t'Lot 7, O''Neil''s'  ",
    "'a' < 'b' AND 1 = 1.0 AND 'x' LIKE '_' AND 1 IS NOT NULL",
    "TIMESTAMP('2026-05-20T08:30:00Z') = DATE('2026-05-20')",
  ])('%s is true', (filter) => {
    expect(ask(filter)).toBe(true)
  })

  it.each([
    'name = area',
    "area = '2'",
    "resolved = 'true'",
    'area LIKE 2',
    "area LIKE '2'",
    'CASEI(area) = 2',
    "purchaseDate = TIMESTAMP('2015-09-12T00:00:00Z')",
    "purchaseDate = DATE('2015-02-30')",
    "date = 'yesterday'",
    'resolved > FALSE',
    'area',
    'area +',
    'area = = 2',
    'area = 2 3',
    '(area = 2',
    'area = 2)',
    'area IN ()',
    'area IN (1,)',
    'area BETWEEN 1',
    'area BETWEEN 1 OR 2',
    'area NOT = 2',
    'area IS 2',
    "name = 'Lot",
    'name = "Lot',
    `"name = 'x'`,
    'owner = 1',
    '"AND" = 1',
    'and = 1',
    'geometry = 1',
    'S_INTERSECTS(name, POINT(1 1))',
    'S_INTERSECTS(geometry, POINT(1))',
    'S_INTERSECTS(geometry, POINT(1 91))',
    'S_INTERSECTS(geometry, POLYGON((0 0, 1 1, 0 0)))',
    'S_INTERSECTS(geometry, POLYGON((0 0, 2 2, 2 0, 0 2, 0 0)))',
    'S_INTERSECTS(geometry, LINESTRING(1 1))',
    'S_INTERSECTS(geometry, LINESTRING(1 1, 1 1))',
    'S_INTERSECTS(geometry, BBOX(1,2,3))',
    'S_INTERSECTS(geometry, BBOX(1,5,3,4))',
    'S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(1 1)))',
    'S_INTERSECTS(geometry, constructor(1 1))',
    'S_WITHIN(geometry, POINT(1 1))',
    'area = 1e999',
    'area = 1e301',
    'area * 2 = 5',
    "name = 'a\u0000b'",
    String.raw`name LIKE 'a\'`,
    '',
    ' ',
    ';',
  ])('rejects %s and names the character', (filter) => {
    expect(() => parse(filter)).toThrow(Cql2Error)
    expect(() => parse(filter)).toThrow(/, at character \d+$/)
  })

  it.each([
    ["name = 'x' AND owner = 'y'", 'has ‘owner’, which filters do not support, at character 16'],
    ['area = 2 AND', 'must have the name of a property, or a value instead of the end, at character 13'],
    ['area ! 2', 'has an unexpected "!", at character 6'],
    ["area = 'two'", 'has text where it must be a number, at character 8'],
    ['S_WITHIN(geometry)', 'has the function S_WITHIN, which is not supported, at character 1'],
  ])('explains the error in %s', (filter, message) => {
    expect(() => parse(filter)).toThrow(message)
  })

  it('limits length and depth', () => {
    const long = `name = '${'x'.repeat(maxFilterLength - 9)}'`
    expect(long.length).toBe(maxFilterLength)
    expect(ask(long)).toBe(false)
    expect(() => parse(`${long} `)).toThrow(`${maxFilterLength} characters`)
    const nested = (depth: number) => `${'('.repeat(depth)}area = 2.5${')'.repeat(depth)}`
    expect(ask(nested(maxFilterDepth))).toBe(true)
    expect(() => parse(nested(maxFilterDepth + 1))).toThrow(`${maxFilterDepth} levels deep`)
    expect(ask(`${'NOT '.repeat(maxFilterDepth)}area = 2.5`)).toBe(true)
    for (const opening of ['(', 'NOT ', 'CASEI('])
      expect(() => parse(opening.repeat(600))).toThrow('levels deep')
  })
})

describe('a filter on null', () => {
  it.each([
    ['area > 1', null],
    ['NOT area > 1', null],
    ['NOT (NOT area > 1)', null],
    ['area > 1 OR TRUE', true],
    ['area > 1 OR FALSE', null],
    ['area > 1 AND FALSE', false],
    ['area > 1 AND TRUE', null],
    ['area IS NULL', true],
    ['area IS NOT NULL', false],
    ['area IN (1, 2)', null],
    ['area NOT BETWEEN 1 AND 2', null],
    ["name LIKE '%'", null],
    ["CASEI(name) = 'x'", null],
    ["date <> DATE('2026-05-20')", null],
    ['area = area', null],
  ] as const)('%s is %s', (filter, answer) => {
    expect(ask(filter, {})).toBe(answer)
  })
})

describe('LIKE', () => {
  const part = fc.oneof(
    fc.constantFrom('a', 'b', 'ab', '😀', '\n').map((text) => ({ is: 'text' as const, text })),
    fc.constantFrom({ is: 'any' as const }, { is: 'one' as const }),
  )
  const short = { maxLength: 8 }

  it('matches the same texts as a regular expression', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '😀', '\n'), short),
        fc.array(part, short),
        (letters, pattern) => {
          const source = pattern.map((one) => (one.is === 'text' ? one.text : one.is === 'one' ? '.' : '.*'))
          const text = letters.join('')
          expect(isLike(text, pattern)).toBe(new RegExp(`^${source.join('')}$`, 'su').test(text))
        },
      ),
      { numRuns: times(500) },
    )
  })

  it.each([
    ['many wildcards', '%a'.repeat(80)],
    ['wildcards for one character', '%_a'.repeat(60)],
    ['a long text after a wildcard', `%${'a'.repeat(190)}`],
  ])('is fast with constants and %s', (_what, pattern) => {
    const filter = `'${'a'.repeat(maxFilterLength - 250)}' LIKE '${pattern}b'`
    const start = threadTime()
    expect(ask(filter)).toBe(false)
    expect(threadTime() - start).toBeLessThan(500)
  })

  it('rejects a pattern that is too long', () => {
    const longest = '%a'.repeat(maxPatternLength / 2)
    expect(ask(`name LIKE '${longest}'`)).toBe(false)
    expect(() => parse(`name LIKE '${longest}_'`)).toThrow(
      `more than ${maxPatternLength} characters, at character 11`,
    )
  })
})
