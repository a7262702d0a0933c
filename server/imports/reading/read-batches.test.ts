import { statSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputOf } from '#test/imports/import-inputs.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'
import { chunksOfFile, type ImportInput } from '../formats/read-records.ts'
import type { StoredColumns } from '../mapping/map-columns.ts'
import { mergeBatches } from './read-batches.ts'
import { readBatchesInWorkers } from './read-in-worker.ts'
import { openReader } from './read-rows.ts'
import type { ReadingOptions } from './reading-options.ts'
import type { Survey } from './survey.ts'

const usual: ReadingOptions = { mapId: 'oak-hill', kind: 'asset', source: 'file' }

/** All that is read, in the order of the file, and the error at its end. */
async function readWith(
  readers: number,
  size: number,
  openInput: () => ImportInput,
  options: Partial<ReadingOptions> = {},
  inThreads?: ReturnType<typeof mergeBatches>,
) {
  const key = { importId: 'import', now: 0 }
  const open = (reader: number) =>
    openReader(openInput(), { ...usual, ...options }, key, { reader, readers, size })
  const staged: unknown[] = []
  const [reported, placeless, notices]: [unknown[], unknown[], string[]] = [[], [], []]
  let total: object = {}
  let survey: Survey | undefined
  let failure: string | undefined
  try {
    const opened = Array.from({ length: readers }, (_, reader) => open(reader))
    for await (const batch of inThreads ?? mergeBatches(await Promise.all(opened))) {
      const { columns, values } = batch
      for (let start = 0; start < values.length; start += columns.length)
        staged.push(Object.fromEntries(columns.map((column, index) => [column, values[start + index]])))
      reported.push(...batch.reported)
      placeless.push(...batch.placeless)
      notices.push(...batch.notices)
      total = { ...batch.total, bytesRead: 0 }
      survey = batch.survey
    }
  } catch (error) {
    // Columns that only some rows have may be in another order.
    failure = String(error).replace(/ The columns are .*/, '')
  }
  return { staged, reported, placeless, notices, total, survey: survey && inAnyOrder(survey), failure }
}

function inAnyOrder(survey: Survey) {
  const { unreadRows, areaRatios, areasWithoutGeometry, filled, kept, ownColumns, ...rest } = survey
  const rowsOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').replace(/0+$/, '')
  return {
    ...rest,
    kept: kept.toSorted(),
    ownColumns: ownColumns?.toSorted(),
    filled: filled
      .map(({ unknown, ...one }) => ({ ...one, unknown: unknown?.toSorted() }))
      .toSorted((one, other) => one.column.localeCompare(other.column)),
    unreadRows: new Map([...unreadRows].map(([field, bytes]) => [field, rowsOf(bytes)])),
    areaRatios: areaRatios.toSorted(),
    areasWithoutGeometry: areasWithoutGeometry.toSorted(),
  }
}

const row = fc.record({
  id: fc.option(fc.constantFrom('1', '2', '3', '4', 'a', 'b', 5, 6, 7)),
  assetId: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  name: fc.constantFrom('Hydrant', 'Pole', ''),
  status: fc.constantFrom('operational', 'offline', 'odd', 'odder', null),
  installDate: fc.constantFrom('2020-01-01', '1010-01-01', '1900-01-01', '3/4/2021', 'soon', null),
  place: fc.constantFrom([-111, 34], [-111.5, 33.25], [5, 91], null),
  own: fc.option(fc.constantFrom({}, { purpose: 'fun' }), { freq: 3 }),
  other: fc.option(fc.constantFrom({ color: 'red' }, { color: 'blue', height: 3 }, { 'skip reason': 'x' })),
})
type GeneratedRow = typeof row extends fc.Arbitrary<infer Value> ? Value : never

/** A row of our own export: the names in its metadata count as columns. */
const columnsOfOwn = (own: GeneratedRow['own']) =>
  own && {
    mapId: 'oak-hill',
    kind: 'asset',
    metadata: JSON.stringify(Object.entries(own).map(([name, value]) => ({ name, value }))),
  }

const featureOf = ({ place, other, own, ...properties }: GeneratedRow) => ({
  type: 'Feature',
  properties: { ...properties, ...other, ...columnsOfOwn(own) },
  geometry: place && { type: 'Point', coordinates: place },
})

const notations: Record<string, (rows: readonly GeneratedRow[]) => string> = {
  collection: (rows) => JSON.stringify({ type: 'FeatureCollection', features: rows.map(featureOf) }),
  lines: (rows) => rows.map((one) => JSON.stringify(featureOf(one))).join('\n'),
  records: (rows) =>
    JSON.stringify(
      rows.map(({ place, other, own, ...rest }) => ({
        ...rest,
        ...other,
        ...columnsOfOwn(own),
        lon: place?.[0],
        lat: place?.[1],
      })),
    ),
  table: (rows) =>
    ['id,assetId,name,status,installDate,lon,lat']
      .concat(
        rows.map(({ id, assetId, name, status, installDate, place }) =>
          [id, assetId, name, status, installDate, ...(place ?? ['', ''])].join(','),
        ),
      )
      .join('\n'),
}

describe('several readers of one file', () => {
  it.each(Object.keys(notations))('find the same as one: %s', async (notation) => {
    const options = fc.record({
      leftOut: fc.constantFrom(new Set<number>(), new Set([2, 5])),
      mended: fc.constantFrom(new Map(), new Map([[4, { status: 'operational', name: 'Mended' }]])),
      kept: fc.constantFrom<StoredColumns>({ omit: [] }, { omit: ['purpose'] }, { only: ['purpose'] }),
      columns: fc.constantFrom(new Map(), new Map([['id', 'assetId']]), new Map([['name', 'color']])),
    })
    const cases = fc.asyncProperty(
      fc.array(row, { maxLength: 30 }),
      fc.constantFrom('', 'x', ']', '{"a":', '\xff'),
      fc.constantFrom([2, 1], [2, 3], [3, 4]),
      options,
      async (rows, end, [readers = 2, size = 1], chosen) => {
        const bytes = Buffer.from((notations[notation]?.(rows) ?? '') + end, 'latin1')
        const openInput = () => inputOf(bytes, 'file', 256)
        const one = await readWith(1, size, openInput, chosen)
        expect(await readWith(readers, size, openInput, chosen)).toStrictEqual(one)
      },
    )
    await fc.assert(cases, { numRuns: 150 })
  })

  it('refuse files with too many rows, at the same row', async () => {
    const openInput = () => inputOf(`lat,lon\n${'34,-111\n'.repeat(20)}`, 'file.csv')
    const one = await readWith(1, 3, openInput, { maxRows: 16 })
    expect(one.failure).toContain('more than 16 rows')
    expect(await readWith(2, 3, openInput, { maxRows: 16 })).toStrictEqual(one)
  })

  it('name the first row of an id that another reader has', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `${index % 5},34,-111`)
    const { reported } = await readWith(3, 2, () => inputOf(`id,lat,lon\n${rows.join('\n')}`, 'file.csv'))
    expect(reported).toMatchObject(
      [6, 7, 8, 9, 10, 11, 12].map((rowNumber) => ({
        rowNumber,
        reason: `id "${(rowNumber - 1) % 5}" is already used in row ${((rowNumber - 1) % 5) + 1}`,
      })),
    )
  })
})

describeWithRealData('several readers of a real file', () => {
  it.each([
    ['parcels/cambridge-cdd-zoningdistricts.geojson', 'parcel'],
    ['assets/cambridge-infra-hydrants.geojson', 'asset'],
  ] as const)('find the same as one: %s', async (name, kind) => {
    const openInput = () => ({ name, chunks: chunksOfFile(realDataFile(name)) })
    const one = await readWith(1, 50, openInput, { kind })
    expect(one.staged.length).toBeGreaterThan(200)
    expect(await readWith(2, 50, openInput, { kind })).toStrictEqual(one)
    const path = realDataFile(name)
    const task = {
      file: { path, totalBytes: statSync(path).size },
      options: { ...usual, kind },
      key: { importId: 'import', now: 0 },
    }
    const inThreads = readBatchesInWorkers(task, 2)
    expect(await readWith(0, 50, openInput, { kind }, inThreads)).toStrictEqual(one)
  })
})
