import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ImportSettings } from '#domain/imports/import-draft.schema.ts'
import { onEngine } from '#test/databases/databases.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'

type Expected = {
  settings: Partial<ImportSettings>
  refused?: RegExp[]
  features: unknown[]
}

const incident: Partial<ImportSettings> = { kind: 'incident', type: 'other' }
const asset: Partial<ImportSettings> = { kind: 'asset', type: 'water' }
const parcel: Partial<ImportSettings> = { kind: 'parcel' }
const at = (lng: number, lat: number) => ({ geometry: { type: 'Point', coordinates: [lng, lat] } })
const square = (type: string) => ({ name: 'Lot', geometry: { type } })
const dated = (name: string, date: string) => ({ name, date })

const expected: Record<string, Expected> = {
  'date-time-of-14-digits.csv': {
    settings: { ...asset, columns: { installDate: 'BUILT', name: 'ASSET_ID' } },
    features: [
      { name: '1', installDate: '2003-03-19' },
      { name: '2', installDate: '2011-09-16' },
    ],
  },
  'dates-of-many-kinds.csv': {
    settings: incident,
    features: [...'abcdefghij'].map((name) =>
      dated(name, `2020-12-31T${'cfj'.includes(name) ? '14:05' : '00:00'}:00.000Z`),
    ),
  },
  'day-first-dates.csv': {
    settings: { ...incident, columns: { title: 'id' } },
    features: [
      dated('1', '2020-12-31T00:00:00.000Z'),
      dated('2', '2021-02-01T00:00:00.000Z'),
      dated('3', '2021-02-25T00:00:00.000Z'),
    ],
  },
  'decimal-comma.csv': {
    settings: asset,
    features: [
      { name: 'Pumpwerk', ...at(-71.0991, 42.3901) },
      { name: 'Tor', ...at(-71.0981, 42.3911) },
    ],
  },
  'degrees-minutes-seconds.csv': {
    settings: asset,
    features: [
      { name: 'Tank', ...at(-71.0995, 42.390139) },
      { name: 'Tank three', ...at(-71.097833, 42.391867) },
      { name: 'Tank two', ...at(-71.100278, 42.391667) },
    ],
  },
  'geojson-in-a-column.csv': { settings: parcel, features: [square('Polygon')] },
  'id-null-or-absent.geojson': {
    settings: { ...asset, columns: { id: 'MBL' } },
    refused: [/its id is missing/, /its id is missing/],
    features: [{ name: 'with number', ...at(-71.102, 42.39) }],
  },
  'ids-of-18-digits.geojson': {
    settings: parcel,
    features: [11, 12, 13].map((number, index) => ({
      name: `L${index}`,
      metadata: [
        { name: 'id', value: `2534183000000000${number}` },
        { name: 'parcel_no', value: `2534183000000000${number}` },
      ],
    })),
  },
  'one-location-column.csv': {
    settings: asset,
    features: [
      { name: 'Gate', ...at(-71.0997, 42.3907) },
      { name: 'Pool', ...at(-71.0998, 42.3908) },
    ],
  },
  'sep-line.csv': { settings: asset, features: [{ name: 'Gate', ...at(-71.099, 42.391) }] },
  'title-rows-above-header.csv': {
    settings: asset,
    features: [
      { name: 'North hydrant', ...at(-71.0994, 42.3904) },
      { name: 'South hydrant', ...at(-71.0995, 42.3905) },
    ],
  },
  'wkt-called-the-geom.csv': { settings: parcel, features: [square('MultiPolygon')] },
  'zero-zero.csv': {
    settings: asset,
    refused: [/longitude 0, latitude 0/],
    features: [{ name: 'Hydrant A', ...at(-95.88, 36.06) }],
  },
}

const toMillionths = (key: string, value: unknown) =>
  key !== '' && typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value

onEngine('sqlite', 'files of offices', (createDatabase) => {
  describeWithRealData('through the page', () => {
    it('have the expected features and refused rows', { timeout: 60_000 }, async () => {
      const database = await createDatabase()
      const { good, upload, done, trialRows } = await startImports(database)
      const drafts: (Expected & { file: string; id: string })[] = []
      for (const [file, one] of Object.entries(expected))
        drafts.push({
          ...one,
          file,
          id: await upload(file, readFileSync(realDataFile('cases', 'files', file))),
        })
      const each = async (ask: (draft: (typeof drafts)[number]) => Promise<unknown>) => {
        for (const draft of drafts) {
          await done(draft.id)
          await ask(draft)
        }
      }
      await each(({ id, settings }) => good('PATCH', `/${id}/settings`, settings))
      await each(({ id }) => good('POST', `/${id}/try`))
      await each(async ({ id, file, features, refused = [] }) => {
        const { outcome } = await good('GET', `/${id}`)
        expect(outcome, file).toMatchObject({ created: features.length, refused: refused.length })
        const reasons = (await trialRows(id)).items.flatMap(({ reason }) => reason ?? [])
        expect(reasons, file).toEqual(refused.map((reason) => expect.stringMatching(reason)))
        await good('POST', `/${id}/import`)
      })
      await each(async ({ id, file, features }) => {
        const stored = await database.read
          .selectFrom('features')
          .innerJoin('import_drafts', 'import_drafts.import_id', 'features.import_id')
          .select(['name', 'date', 'fields', 'metadata', 'geometry'])
          .where('import_drafts.id', '=', id)
          .orderBy('name')
          .execute()
        const read = stored.map(({ fields, metadata, geometry, ...row }) => ({
          ...row,
          ...JSON.parse(fields),
          date: row.date === null ? null : new Date(row.date).toISOString(),
          metadata: JSON.parse(metadata),
          geometry: JSON.parse(geometry, toMillionths),
        }))
        expect(read, file).toMatchObject(features)
      })
    })
  })
})
