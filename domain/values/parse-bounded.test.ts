import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { newFeature } from '#domain/features/feature.schema.ts'
import { geometry } from '#domain/geometry/geometry.schema.ts'
import { maxFaults, parseBounded } from './parse-bounded.ts'

const many = <Item>(item: Item, count = 100_000): Item[] => Array.from({ length: count }, () => item)
const keys = (value: unknown) => Object.fromEntries(many(value).map((one, at) => [`k${at}`, one]))

const schema = z.strictObject({
  list: z.array(z.number()).optional(),
  rows: z
    .array(z.strictObject({ name: z.string().max(5), tags: z.array(z.enum(['a', 'b'])) }))
    .max(400_000)
    .nullable(),
  words: z.record(z.string().max(6), z.union([z.string(), z.array(z.number())])).default({}),
  shape: geometry.exactOptional(),
  either: z.union([z.string(), z.array(z.boolean())]).optional(),
})

const point = { type: 'Point', coordinates: [0, 0] }

it.each<[string, unknown, (string | number)[], string]>([
  ['a list', { rows: null, list: many('x') }, ['list', 0], 'expected number'],
  [
    'a list, after many good items',
    { rows: null, list: [...many(1), 'x'] },
    ['list', 100_000],
    'expected number',
  ],
  ['lists of a union', { rows: null, either: many(1) }, ['either', 0], 'expected boolean'],
  ['rows', { rows: many({ name: 'too long', tags: [] }) }, ['rows', 0, 'name'], '<=5'],
  [
    'a list within a row',
    { rows: [{ name: 'x', tags: many('c') }] },
    ['rows', 0, 'tags', 0],
    'Invalid option',
  ],
  ['values of a record', { rows: null, words: keys(1) }, ['words', 'k0'], 'Invalid input'],
  ['keys of a record', { rows: null, words: { ...keys('x'), k100000: 'x' } }, ['words', 'k100000'], '<=6'],
  [
    'positions',
    { rows: null, shape: { type: 'MultiPoint', coordinates: many([0, 91]) } },
    ['shape', 'coordinates', 0, 1],
    'Latitude',
  ],
  [
    'a position',
    { rows: null, shape: { ...point, coordinates: [0, 0, ...many('x')] } },
    ['shape', 'coordinates', 2],
    'expected number',
  ],
  [
    'rings',
    { rows: null, shape: { type: 'Polygon', coordinates: many([1]) } },
    ['shape', 'coordinates', 0, 0],
    'expected tuple',
  ],
])('stops at the first faults: %s', (_, value, path, message) => {
  const parsed = parseBounded(schema, value)
  if (parsed.success) throw new Error('was accepted')
  expect(parsed.issues.length).toBeLessThanOrEqual(maxFaults)
  expect(parsed.issues[0]?.path).toEqual(path)
  expect(parsed.issues[0]?.message).toContain(message)
})

it('describes the first of thousands of faults, which would overflow the stack of the schema', () => {
  const coordinates = [many([], 400_000)]
  expect(() => geometry.safeParse({ type: 'MultiPolygon', coordinates })).toThrow(RangeError)
  const parsed = parseBounded(geometry, { type: 'MultiPolygon', coordinates })
  expect(parsed).toMatchObject({ success: false, issues: { length: maxFaults } })
})

it('finds a fault in a large value as a whole', () => {
  const ring = many([1, 1], 1_000)
  const open = { type: 'Polygon', coordinates: [[[0, 0], ...ring]] }
  expect(parseBounded(geometry, open)).toMatchObject({
    issues: [{ path: ['coordinates', 0], message: 'a ring must end where it starts' }],
  })
  expect(parseBounded(schema, { rows: null, other: many(1) })).toMatchObject({
    issues: [{ code: 'unrecognized_keys', keys: ['other'] }],
  })
})

it('agrees with the schema about any value, however large', () => {
  const value = fc.oneof(
    fc.constantFrom(0, 1, 'x', 'too long', null, true, [], {}, 'a'),
    fc.constantFrom([0, 0], [0, 91], [1]),
  )
  const list = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(fc.nat(600), value, value).map(([at, good, odd]) => [...many(good, at), odd]),
    },
    { weight: 1, arbitrary: value },
  )
  const row = fc.record({ name: value, tags: list }, { requiredKeys: ['name', 'tags'] })
  const input = fc.record(
    {
      list,
      either: list,
      rows: fc.oneof(fc.constant(null), fc.array(row, { maxLength: 5 })),
      words: fc.oneof(value, fc.dictionary(fc.constantFrom('a', 'b', 'much longer'), list)),
      shape: fc.record({ type: fc.constantFrom('Point', 'MultiPoint', 'Polygon', 'x'), coordinates: list }),
    },
    { requiredKeys: ['rows'] },
  )
  fc.assert(
    fc.property(input, (one) => {
      const whole = schema.safeParse(one)
      const bounded = parseBounded(schema, one)
      expect(bounded.success).toBe(whole.success)
      if (bounded.success) {
        expect(bounded.data).toEqual(whole.data)
        return
      }
      const paths = new Set(whole.error?.issues.map(({ path }) => path.join('.')))
      // Within a union, the path of the issue is relative to the union.
      const isKnown = (path: string) =>
        [...paths].some((expected) => path === expected || path.startsWith(`${expected}.`))
      for (const issue of bounded.issues)
        expect(isKnown(issue.path.join('.')), issue.path.join('.')).toBe(true)
    }),
  )
})

it('keeps the messages of the schema for small inputs', () => {
  const input = {
    kind: 'asset',
    id: 'a b',
    mapId: 'Oak Hills',
    geometry: { type: 'Point', coordinates: [0, 91] },
  }
  const parsed = parseBounded(newFeature, input)
  expect(parsed).toEqual({ success: false, issues: newFeature.safeParse(input).error?.issues })
})
