import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { maxPieceBytes } from '#domain/files/file.schema.ts'
import type { ImportSettings } from '#domain/imports/import-draft.schema.ts'
import { onEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'
import { describeWithRealData } from '#test/real-data.ts'
import { realDataFile } from '#test/real-data-files.ts'

const isSlow = 120_000

type Expected = {
  settings: Partial<ImportSettings>
  rows?: number
  refused?: number
  repaired?: number
  problem?: RegExp
  reason?: RegExp
}

const mostRows = 2_000

function contentOf(file: string): Buffer {
  const bytes = readFileSync(realDataFile(file))
  if (bytes.length < 10 * 1024 ** 2) return bytes
  const all = JSON.parse(bytes.toString())
  return Buffer.from(JSON.stringify({ ...all, features: all.features.slice(0, mostRows) }))
}

const parcel: Partial<ImportSettings> = { kind: 'parcel' }
const water: Partial<ImportSettings> = { kind: 'asset', type: 'water' }
const road: Partial<ImportSettings> = { kind: 'asset', type: 'road' }
const boston: Partial<ImportSettings> = {
  kind: 'incident',
  type: 'fallen_tree',
  columns: { id: 'CASE_ENQUIRY_ID', title: 'CASE_TITLE', date: 'OPEN_DT', resolved: 'CASE_STATUS' },
}
const fire: Partial<ImportSettings> = { kind: 'incident', type: 'fire' }

/** All formats, and some of the files that `../real-files.test.ts` imports. */
const expected: Record<string, Expected> = {
  'parcels/cambridge-parcels-fy2014-joined.geojson': {
    settings: { ...parcel, columns: { name: 'Location', purchaseDate: 'SaleDate' } },
    rows: mostRows,
    refused: 1,
    repaired: 10,
  },
  'assets/cambridge-infra-hydrants.geojson': {
    settings: { ...water, columns: { name: 'HYDRANT_ID', installDate: 'INSTALLDATE' } },
    rows: 1_960,
    refused: 1,
    reason: /installDate/,
  },
  'incidents/boston311-tree-emergencies.csv': { settings: boston, rows: 785 },
  'incidents/calfire-last-state.json': {
    settings: { ...fire, columns: { date: 'Started', description: 'ConditionStatement' } },
    rows: 688,
    refused: 1,
    reason: /longitude -1191414610 is not between/,
  },
  'incidents/calfire-state-changes.csv': {
    settings: fire,
    problem: /no column for latitude and longitude; .* Choose a column for latitude and longitude/,
  },
  'formats/countries.fgb': {
    settings: road,
    rows: 179,
    refused: 1,
    repaired: 1,
    reason: /goes around a pole; cut it/,
  },
  'formats/example.parquet': {
    settings: road,
    problem: /is a Parquet file; GeoJSON, .* can be imported\. Convert it first, for example: ogr2ogr/,
  },
  'formats/gxtrack.kml': { settings: road, rows: 1 },
  'formats/nj_counties.zip': { settings: road, rows: 21 },
  'formats/senate.zip': { settings: road, rows: 40, repaired: 1 },
  'formats/simpledata.kml': { settings: road, rows: 2 },
  'formats/style.gpx': { settings: { ...road, layer: 'style.gpx/tracks' }, rows: 21 },
  'formats/trek.gpx': { settings: { ...road, layer: 'trek.gpx/routes' }, rows: 1 },
}

describeWithRealData('real files', () => {
  onEngine('sqlite', 'through the page', (createDatabase) => {
    it('are imported, or refused with help', { timeout: isSlow }, async () => {
      const { good, announce, done } = await startImports(await createDatabase())
      const formats = readdirSync(realDataFile('formats')).map((name) => `formats/${name}`)
      expect(Object.keys(expected)).toEqual(expect.arrayContaining(formats))
      const ids = new Map<string, string>()
      for (const file of Object.keys(expected)) {
        const bytes = contentOf(file)
        const id = await announce({ name: basename(file), size: bytes.length })
        for (let offset = 0; offset < bytes.length; offset += maxPieceBytes)
          await good('PUT', `/${id}/files/0?offset=${offset}`, bytes.subarray(offset, offset + maxPieceBytes))
        ids.set(file, id)
      }
      const each = async (state: string, ask: (id: string, one: Expected) => Promise<unknown>) => {
        for (const [file, id] of ids)
          if ((await done(id)).state === state) await ask(id, expected[file] as Expected)
      }
      await each('examined', (id, { settings }) => good('PATCH', `/${id}/settings`, settings))
      await each('examined', (id) => good('POST', `/${id}/try`))
      const tried = new Map<string, unknown>()
      await each('tried', async (id) => {
        tried.set(id, (await good('GET', `/${id}`)).outcome)
        return good('POST', `/${id}/import`)
      })

      for (const [file, id] of ids) {
        const { rows, refused = 0, repaired = 0, problem, reason } = expected[file] as Expected
        const { state, outcome, problem: told } = await done(id)
        if (problem) {
          expect(told, file).toMatch(problem)
          expect(['examined', 'refused'], file).toContain(state)
          continue
        }
        const counts = { rows, created: (rows ?? 0) - refused, refused, repaired }
        expect(tried.get(id), file).toMatchObject(counts)
        expect({ state, ...outcome }, file).toMatchObject({ state: 'imported', ...counts })
        const reasons = outcome?.reported.filter((row) => row.outcome === 'refused').map((row) => row.reason)
        for (const one of reason ? (reasons ?? []) : []) expect(one, file).toMatch(reason as RegExp)
      }
    })
  })
})
