import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import type { ImportSettings } from '#domain/imports/import-draft.schema.ts'
import { onEngine } from '#test/databases/databases.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'

const isSlow = 120_000

type Expected = {
  settings: Partial<ImportSettings>
  rows?: number
  refused?: number
  repaired?: number
  problem?: RegExp
  reason?: RegExp
}

const road: Partial<ImportSettings> = { kind: 'asset', type: 'road' }
const fire: Partial<ImportSettings> = { kind: 'incident', type: 'fire' }

/** All formats of other programs. `../real-files.test.ts` imports the other files. */
const expected: Record<string, Expected> = {
  'incidents/calfire-state-changes.csv': {
    settings: fire,
    problem: /no column for latitude and longitude\. .* Choose a column for latitude and longitude/,
  },
  'formats/countries.fgb': {
    settings: road,
    rows: 179,
    refused: 1,
    repaired: 1,
    reason: /includes a pole; split it/,
  },
  'formats/example.parquet': {
    settings: road,
    problem: /is a Parquet file\. GeoJSON, .* are supported\. Convert it first, for example: ogr2ogr/,
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
      const { good, upload, done } = await startImports(await createDatabase())
      const formats = readdirSync(realDataFile('formats')).map((name) => `formats/${name}`)
      expect(Object.keys(expected)).toEqual(expect.arrayContaining(formats))
      const ids = new Map<string, string>()
      for (const file of Object.keys(expected))
        ids.set(file, await upload(basename(file), readFileSync(realDataFile(file))))
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
