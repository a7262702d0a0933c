import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import type { FeatureColumns } from '#server/database/tables.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { times } from '#test/random/how-much.ts'
import { matchesFilter } from '../features/lists/feature-matches.queries.ts'
import { type Collection, filterOf, findCollection } from './collections.ts'
import { type Cql2, evaluate, type ValueType } from './cql2.ts'
import { conditionOf } from './cql2-condition.queries.ts'
import { maxPatternLength, parseCql2 } from './parse-cql2.ts'
import { type Property, propertiesOf, queryablesOf, toItem } from './properties.ts'
import { crs84 } from './reference-systems.ts'

// Filters have the same result on both engines and in memory: for text of any language, for null, and for
// shapes that only touch.

const sight = { seesPersonalData: true, isStaff: true }
const own = { isRequired: false, visibleTo: 'everyone' as const, help: null, choices: [] }
const customFields: CustomFields = {
  ...noCustomFields,
  asset: [
    { ...own, key: 'depth', label: 'Depth', type: 'number' },
    { ...own, key: 'isKeyed', label: 'Keyed', type: 'flag' },
    { ...own, key: 'checked', label: 'Checked', type: 'day' },
    { ...own, key: 'note', label: 'Note', type: 'line' },
  ],
}

const texts = [
  '',
  ' ',
  'a',
  'A',
  'b',
  'B',
  '_',
  '%',
  '*',
  '?',
  '[a]',
  '\\',
  "o'neil",
  'Lot 2',
  'lot 10',
  'É',
  'é',
  'e\u0301',
  'straße',
  'STRASSE',
  'İ',
  'ı',
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  'ﬁre',
  '水',
  '\uffff',
  '😀',
  'Ω',
  'a\nb',
]
const numbers = [0, 1, 2, 2.5, -1, 1e10, 0.1]
const days = ['2015-09-12', '2015-09-13', '2026-05-20']
const instants = [
  '2026-05-20T00:00:00.000Z',
  '2026-05-20T08:30:00.123Z',
  '2026-05-20T23:59:59.999Z',
  '2026-05-21T00:00:00.000Z',
]

const text = fc.constantFrom(...texts)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const coordinate = fc.integer({ min: 0, max: 6 })
const place = fc.tuple(coordinate, coordinate) as fc.Arbitrary<Position>
const aLine = fc.uniqueArray(place, { minLength: 2, maxLength: 3, selector: String })
const triangle = fc
  .uniqueArray(place, { minLength: 3, maxLength: 3, selector: String })
  .filter(([a, b, c]) =>
    a && b && c ? (b[0] - a[0]) * (c[1] - a[1]) !== (c[0] - a[0]) * (b[1] - a[1]) : false,
  )
  .map((corners) => [...corners, corners[0]] as Position[])
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  place.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  aLine.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  triangle.map((ring): Geometry => ({ type: 'Polygon', coordinates: [ring] })),
)

const features: NewFeature[] = fc
  .sample(
    fc.oneof(
      fc
        .record({
          geometry,
          name: text,
          description: text,
          owner: maybe(text),
          area: maybe(fc.constantFrom(...numbers.filter((number) => number >= 0))),
          buildings: maybe(fc.constantFrom(0, 1, 2)),
          purchaseDate: maybe(fc.constantFrom(...days)),
          zoning: maybe(fc.record({ type: text, restrictions: maybe(text) })),
          taxInfo: maybe(
            fc.record({
              annualAmount: maybe(fc.constantFrom(...numbers)),
              lastPaid: maybe(fc.constantFrom(...days)),
            }),
          ),
        })
        .map((fields) => aParcel(fields)),
      fc
        .record({
          geometry,
          name: text,
          status: fc.constantFrom('operational' as const, 'offline' as const),
          installDate: maybe(fc.constantFrom(...days)),
          own: fc.record(
            {
              depth: fc.constantFrom(...numbers),
              isKeyed: fc.boolean(),
              checked: fc.constantFrom(...days),
              note: text,
            },
            { requiredKeys: [] },
          ),
        })
        .map((fields) => anAsset(fields)),
      fc
        .record({
          geometry,
          title: text,
          resolved: fc.boolean(),
          date: maybe(fc.constantFrom(...instants)),
          resolvedDate: maybe(fc.constantFrom(...instants)),
          severity: maybe(fc.constantFrom('high' as const, 'low' as const)),
        })
        .map((fields) => anIncident(fields)),
      fc
        .record({ geometry, name: text, date: maybe(fc.constantFrom(...instants)) })
        .map((fields) => aGeneralFeature(fields)),
    ),
    { numRuns: 300, seed: 7 },
  )
  .map((feature, index) => ({ ...feature, id: `f${index}` }))

const olderThanZoning = features.find(
  ({ kind, geometry }) => kind === 'parcel' && geometry.type === 'Polygon',
) as NewFeature

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const literals: Record<ValueType, fc.Arbitrary<string>> = {
  text: text.map(quoted),
  number: fc.constantFrom(...numbers).map(String),
  flag: fc.constantFrom('TRUE', 'false'),
  day: fc.constantFrom(...days).map((day) => `DATE('${day}')`),
  instant: fc.oneof(
    fc.constantFrom(...instants).map((instant) => `TIMESTAMP('${instant}')`),
    fc.constantFrom(...days).map((day) => `DATE('${day}')`),
  ),
}
const pattern = fc
  .array(fc.oneof(text, fc.constantFrom('%', '_', '\\%', '\\_', '\\\\')), { maxLength: 3 })
  .map((parts) => parts.join(''))
  .filter((text) => (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 0)
  .map(quoted)

const wktOf = (shape: Geometry): string => {
  const list = (positions: readonly Position[]) =>
    `(${positions.map((position) => position.join(' ')).join(',')})`
  if (shape.type === 'Point') return `POINT${list([shape.coordinates])}`
  if (shape.type === 'LineString') return `LINESTRING${list(shape.coordinates)}`
  return `POLYGON(${(shape.coordinates as Position[][]).map(list).join(',')})`
}
const box = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .map(([west, south, width, height]) => `BBOX(${west},${south},${west + width},${south + height})`)

const fixed = [
  'TRUE',
  'FALSE',
  '1 < 2',
  "'b' = 'a'",
  '1 IS NULL',
  "CASEI('A') IN ('a')",
  "'a' LIKE '_'",
  'geometry IS NULL',
  "TIMESTAMP('2026-05-20T08:30:00Z') <> DATE('2026-05-20')",
]

const comparison = fc.constantFrom('=', '<>', '<', '>', '<=', '>=')

function arbitraryFilter(properties: readonly Property[]): fc.Arbitrary<string> {
  const onProperty = fc.constantFrom(...properties).chain(({ name, type }) => {
    const literal = literals[type]
    const more: fc.Arbitrary<string>[] =
      type === 'text'
        ? [
            fc
              .tuple(fc.constantFrom('LIKE', 'NOT LIKE'), pattern)
              .map(([how, text]) => `"${name}" ${how} ${text}`),
            pattern.map((text) => `CASEI("${name}") LIKE CASEI(${text})`),
            fc.tuple(comparison, literal).map(([how, text]) => `CASEI("${name}") ${how} CASEI(${text})`),
          ]
        : []
    return fc.oneof(
      fc
        .tuple(type === 'flag' ? fc.constantFrom('=', '<>') : comparison, literal)
        .map(([how, text]) => `"${name}" ${how} ${text}`),
      fc.constantFrom(`"${name}" IS NULL`, `"${name}" IS NOT NULL`, `"${name}" = "${name}"`),
      fc.array(literal, { minLength: 1, maxLength: 3 }).map((all) => `"${name}" IN (${all.join(', ')})`),
      ...(type === 'flag'
        ? []
        : [fc.tuple(literal, literal).map(([from, to]) => `"${name}" NOT BETWEEN ${from} AND ${to}`)]),
      ...more,
    )
  })
  const meeting = fc.oneof(geometry.map(wktOf), box).map((shape) => `S_INTERSECTS(geometry, ${shape})`)
  return fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: onProperty },
      { weight: 1, arbitrary: meeting },
      { weight: 1, arbitrary: fc.constantFrom(...fixed) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(tie('any'), fc.constantFrom('AND', 'OR'), tie('any'))
          .map(([one, how, other]) => `(${one}) ${how} (${other})`),
      },
      { weight: 1, arbitrary: tie('any').map((one) => `NOT (${one})`) },
    ),
  })).any
}

onEachEngine('a CQL2 filter', (createDatabase) => {
  let database: TestDatabase
  let rows: FeatureColumns[]
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    rows = await storeFeatures(database, features)
    await database.write((transaction) =>
      transaction
        .updateTable('features')
        .set({ fields: '{"zoning":{},"taxInfo":null}' })
        .where('id', '=', olderThanZoning.id)
        .execute(),
    )
  })

  it.each([
    'parcels',
    'parcels.lines',
    'assets.points',
    'assets.lines',
    'assets.areas',
    'incidents',
    'incidents.areas',
    'items.points',
  ])(
    'finds the same %s as in memory',
    async (id) => {
      const collection = findCollection(id) as Collection
      const properties = propertiesOf(collection.kind, customFields, sight)
      const queryables = queryablesOf(properties)
      const inputs = await readInputs(collection, properties)
      expect(inputs.length).toBeGreaterThan(5)
      await fc.assert(
        fc.asyncProperty(arbitraryFilter([...queryables.values()]), async (text) => {
          const filter = parse(text, queryables)
          const expected = inputs.filter((one) => evaluate(filter, one)).map(({ id }) => id)
          expect(await find(collection, filter, queryables), text).toEqual(expected.sort())
        }),
        { numRuns: times(40) },
      )
    },
    60_000,
  )

  it('uses the initial value for rows that are older than a field', async () => {
    const collection = findCollection('parcels') as Collection
    const queryables = queryablesOf(propertiesOf('parcel', noCustomFields, sight))
    const filter = parse(`zoning.type = '' AND id = '${olderThanZoning.id}'`, queryables)
    expect(await find(collection, filter, queryables)).toEqual([olderThanZoning.id])
  })

  it('may have the maximum length', async () => {
    const collection = findCollection('parcels') as Collection
    const queryables = queryablesOf(propertiesOf('parcel', noCustomFields, sight))
    for (const filter of [
      `${'area=1 OR '.repeat(399)}area=1`,
      `${"id='' AND ".repeat(390)}id=''`,
      `area IN (${'1,'.repeat(1_990)}1)`,
      `${'NOT '.repeat(32)}area=1`,
      Array<string>(18)
        .fill(`name LIKE '${'%a'.repeat(maxPatternLength / 2)}'`)
        .join(' OR '),
    ])
      expect(await find(collection, parse(filter, queryables), queryables), filter).toBeInstanceOf(Array)
  })

  const parse = (text: string, queryables: ReadonlyMap<string, Property>) =>
    parseCql2(text, { properties: queryables, system: crs84 })

  async function find(collection: Collection, filter: Cql2, queryables: ReadonlyMap<string, Property>) {
    const condition = conditionOf(database, 'oak-hills', filter, queryables)
    const found = await database.read
      .selectFrom('features')
      .select('id')
      .where(matchesFilter(database, 'oak-hills', { ...filterOf(collection), condition }))
      .execute()
    return found.map(({ id }) => id).sort()
  }

  async function readInputs({ kind, shape }: Collection, properties: readonly Property[]) {
    const isGeneral = kind === 'feature' ? 1 : 0
    const stored = await database.read.selectFrom('features').selectAll().execute()
    expect(stored).toHaveLength(rows.length)
    return stored
      .filter(
        (row) => row.shape === shape && row.is_general === isGeneral && (isGeneral || row.kind === kind),
      )
      .map((row) => {
        const {
          id,
          geometry,
          properties: values,
        } = toItem(row, { properties, customFields, sight, system: crs84 })
        const instants = properties.filter(({ type }) => type === 'instant')
        const asNumbers = instants.map(({ name }) => {
          const value = values[name]
          return [name, value === null ? null : Date.parse(String(value))]
        })
        return { id, geometry, values: { ...values, id, ...Object.fromEntries(asNumbers) } }
      })
  }
})

onEngine('postgres', 'text comparisons', (createDatabase) => {
  it('ignore the language of the database', async () => {
    const { read, dialect } = await createDatabase()
    const name = sql`features.name`
    for (const text of [name, dialect.fieldValue(['owner'], 'text'), dialect.foldCase(name)]) {
      const query = sql<{ collation: string }>`
        select pg_collation_for(${text}) as collation from (values ('a' collate "C", '{}')) as features (name, fields)`
      expect((await query.execute(read)).rows).toEqual([{ collation: '"C"' }])
    }
  })
})
