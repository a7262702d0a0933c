import { createReadStream } from 'node:fs'
import { basename, extname } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type FeatureKind, featureKinds } from '#domain/features/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import { describeWithRealData } from '#test/real-data.ts'
import { realDataFile } from '#test/real-data-files.ts'
import { type Filter, fullestTiles, lookAtTile, readAnchors } from '#test/tile-cells.ts'
import { importFeatures } from './import-features.ts'
import type { ImportOptions, ReportedRow } from './import-options.ts'
import { measureAcres } from './measure-acres.ts'

type Case = {
  file: string
  kind: FeatureKind
  columns?: Record<string, string>
  counts?: Record<string, number>
} & Partial<Pick<ImportOptions, 'type' | 'timeZone' | 'areaUnit'>>

const boston = {
  id: 'CASE_ENQUIRY_ID',
  title: 'CASE_TITLE',
  description: 'CLOSURE_REASON',
  date: 'OPEN_DT',
  resolved: 'CASE_STATUS',
  resolvedDate: 'CLOSED_DT',
}
const eastern = 'America/New_York'

/** How each file is imported in docs/importing.md, and what comes of it. */
const cases: Case[] = [
  {
    file: 'parcels/cambridge-parcels-fy2014-joined.geojson',
    kind: 'parcel',
    areaUnit: 'sqft',
    columns: {
      name: 'Location',
      area: 'LandArea',
      purchaseDate: 'SaleDate',
      'zoning.type': 'UseDescription',
    },
    counts: { created: 13_115, refused: 1, repaired: 38 },
  },
  {
    file: 'parcels/cambridge-cdd-zoningdistricts.geojson',
    kind: 'parcel',
    columns: { name: 'ZONE_TYPE', 'zoning.type': 'ZONE_TYPE' },
    counts: { created: 261 },
  },
  {
    file: 'parcels/cambridge-fema-floodplainparcels100year.geojson',
    kind: 'parcel',
    columns: { name: 'ML' },
    counts: { created: 157 },
  },
  {
    file: 'assets/cambridge-infra-hydrants.geojson',
    kind: 'asset',
    type: 'water',
    columns: { name: 'HYDRANT_ID', installDate: 'INSTALLDATE' },
    counts: { created: 1_959, refused: 1 },
  },
  {
    file: 'assets/cambridge-infra-utilityfacilities.geojson',
    kind: 'asset',
    type: 'electrical',
    columns: { name: 'SITE_NAME', description: 'ADDRESS' },
    counts: { created: 14 },
  },
  {
    file: 'assets/cambridge-infra-utilitypoles.geojson',
    kind: 'asset',
    type: 'electrical',
    counts: { created: 2_457 },
  },
  {
    file: 'assets/cambridge-publicsafety-emergencyshelters.geojson',
    kind: 'asset',
    type: 'facility',
    counts: { created: 15 },
  },
  {
    file: 'assets/cambridge-publicsafety-firestations.geojson',
    kind: 'asset',
    type: 'facility',
    columns: { name: 'SITE_NAME' },
    counts: { created: 8 },
  },
  {
    file: 'assets/cambridge-recreation-openspace.geojson',
    kind: 'asset',
    type: 'recreation',
    counts: { created: 276 },
  },
  {
    file: 'assets/cambridge-trans-centerlines.geojson',
    kind: 'asset',
    type: 'road',
    columns: { name: 'Label' },
    counts: { created: 2_643 },
  },
  {
    file: 'incidents/boston311-fire-hydrant.csv',
    kind: 'incident',
    type: 'other',
    timeZone: eastern,
    columns: boston,
    counts: { created: 255 },
  },
  {
    file: 'incidents/boston311-tree-emergencies.csv',
    kind: 'incident',
    type: 'fallen_tree',
    timeZone: eastern,
    columns: boston,
    counts: { created: 785 },
  },
  {
    file: 'incidents/boston311-watermain-break.csv',
    kind: 'incident',
    type: 'flood',
    timeZone: eastern,
    columns: boston,
    counts: { created: 86 },
  },
  {
    file: 'incidents/calfire-last-state.json',
    kind: 'incident',
    type: 'fire',
    columns: { date: 'Started', description: 'ConditionStatement', resolvedDate: 'Extinguished' },
    counts: { created: 687, refused: 1 },
  },
]

async function importCase(
  database: TestDatabase,
  { file, columns = {}, counts, ...options }: Case,
  onRow?: (row: ReportedRow) => void,
) {
  const input = { name: basename(file), chunks: createReadStream(realDataFile(file)) }
  const source = basename(file, extname(file))
  return importFeatures(database, input, {
    mapId: 'real',
    client: { name: 'Real', location: '' },
    source,
    columns: new Map(Object.entries(columns)),
    ...options,
    onRow,
  })
}

/** Thousands of polygons on both engines. */
const isSlow = 120_000

describeWithRealData('real files', () => {
  onEachEngine('are imported', (createDatabase, { engine }) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })

    it.each(cases)('$file', { timeout: isSlow }, async (one) => {
      const { counts } = one
      expect(await importCase(database, one)).toMatchObject({
        refused: 0,
        repaired: 0,
        ...counts,
        updated: 0,
        unchanged: 0,
      })
    })

    it('and change nothing when they come again', { timeout: isSlow }, async () => {
      const before = await database.read
        .selectFrom('features')
        .select(['id', 'version', 'updated_at'])
        .orderBy('id')
        .execute()
      for (const one of cases)
        expect(await importCase(database, one)).toMatchObject({
          created: 0,
          updated: 0,
          unchanged: one.counts?.created,
        })
      expect(
        await database.read
          .selectFrom('features')
          .select(['id', 'version', 'updated_at'])
          .orderBy('id')
          .execute(),
      ).toEqual(before)
    })

    it('and are on tiles without an empty cell, under each filter', { timeout: isSlow }, async () => {
      const anchors = await readAnchors(database, 'real')
      const all = { kinds: [], types: [], since: undefined }
      const filters: Filter[] = [
        all,
        ...featureKinds.map((kind) => ({ ...all, kinds: [kind] })),
        ...['water', 'road', 'fallen_tree', 'fire'].map((type) => ({ ...all, types: [type] })),
        ...['2015-01-12', '2019-06-01'].map((since) => ({ ...all, since })),
      ]
      for (const z of [2, 6, 10, 12, 14, 16])
        for (const filter of filters)
          for (const tile of fullestTiles(anchors, z).slice(0, 2)) {
            const look = await lookAtTile(database, 'real', anchors, tile, filter)
            expect(look.empty, JSON.stringify(filter)).toEqual([])
            expect(look.bytes).toBeLessThanOrEqual(500_000)
          }
    })

    // A deed's area and the drawn shape are two surveys of one lot: alike, seldom the same.
    it('and their shapes measure what the assessors say', { timeout: isSlow }, async () => {
      const rows = await database.read
        .selectFrom('features')
        .select(['fields', 'geometry'])
        .where('metadata', 'like', '%"LOC_ID"%')
        .execute()
      const ratios = rows
        .map(({ fields, geometry }) => {
          const said = (JSON.parse(fields) as { area: number | null }).area
          return (measureAcres(JSON.parse(geometry) as Geometry) ?? Number.NaN) / (said ?? Number.NaN)
        })
        .filter((ratio) => Number.isFinite(ratio))
        .sort((one, other) => one - other)
      expect(ratios.length).toBeGreaterThan(12_900)
      expect(Math.abs((ratios[Math.floor(ratios.length / 2)] ?? 0) - 1)).toBeLessThan(0.01)
      expect(ratios.filter((ratio) => Math.abs(ratio - 1) < 0.05).length / ratios.length).toBeGreaterThan(
        0.75,
      )
    })

    if (engine === 'sqlite') return
    it('and are valid to PostGIS, every one', { timeout: isSlow }, async () => {
      const { rows } = await sql`
        select id, ST_IsValidReason(ST_GeomFromGeoJSON(geometry)) as reason
        from features where not ST_IsValid(ST_GeomFromGeoJSON(geometry))`.execute(database.read)
      expect(rows).toEqual([])
    })
  })

  onEachEngine('say what is in them', (createDatabase) => {
    it('of a parcel', { timeout: isSlow }, async () => {
      const database = await createDatabase()
      const reported: ReportedRow[] = []
      await importCase(database, cases[0] as Case, (row) => reported.push(row))
      expect(reported.filter(({ outcome }) => outcome === 'refused')).toMatchObject([
        { rowNumber: 1_896, sourceId: '13064' },
      ])
      const row = await database.read
        .selectFrom('features')
        .selectAll()
        .where('name', '=', '23 ROCKWELL ST')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(row.fields)).toMatchObject({
        owner: null,
        area: expect.closeTo(0.074, 3),
        purchaseDate: '1980-12-29',
        zoning: { type: 'THREE-FM-RES', restrictions: null },
      })
      expect(JSON.parse(row.metadata)).toEqual(
        expect.arrayContaining([
          { name: 'ML', value: '127-123' },
          { name: 'BookPage', value: ' 14175/ 474' },
        ]),
      )
    })

    it('of a fire: HTML to the letter, and no place at -1191414610', async () => {
      const database = await createDatabase()
      const reported: ReportedRow[] = []
      await importCase(database, cases.at(-1) as Case, (row) => reported.push(row))
      expect(reported).toEqual([
        {
          rowNumber: 78,
          line: undefined,
          sourceId: '3093980c-b80f-4b7b-a040-d4fc868142ca',
          outcome: 'refused',
          reason: 'longitude -1191414610 is not between -180 and 180',
        },
      ])
      // More than one fire had that name.
      const rows = await database.read
        .selectFrom('features')
        .select('description')
        .where('name', '=', 'Creek Fire')
        .execute()
      expect(rows.map(({ description }) => description)).toContainEqual(
        expect.stringContaining('<p><a href="https://www.co.fresno.ca.us/'),
      )
    })

    it('of a fallen tree', async () => {
      const database = await createDatabase()
      await importCase(database, cases.find(({ type }) => type === 'fallen_tree') as Case)
      const row = await database.read
        .selectFrom('features')
        .selectAll()
        .where('metadata', 'like', '%"101001242040"%')
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        name: 'Tree Emergencies',
        status: 'resolved',
        type: 'fallen_tree',
        date: Date.parse('2015-01-05T12:29:46Z'),
      })
      expect(JSON.parse(row.fields).resolvedDate).toBe('2015-01-05T14:19:46.000Z')
      const statuses = await database.read
        .selectFrom('features')
        .select(['status', (builder) => builder.fn.countAll<number>().as('count')])
        .groupBy('status')
        .orderBy('status')
        .execute()
      expect(statuses).toEqual([
        { status: 'resolved', count: 771 },
        { status: 'unresolved', count: 14 },
      ])
    })

    it('of a table without places: nothing, and why', async () => {
      const database = await createDatabase()
      const importing = importCase(database, {
        file: 'incidents/calfire-state-changes.csv',
        kind: 'incident',
      })
      await expect(importing).rejects.toThrow(
        'no column for latitude and longitude; its columns are UniqueId, seen_at',
      )
      expect(await database.read.selectFrom('maps').selectAll().execute()).toEqual([])
    })
  })
})
