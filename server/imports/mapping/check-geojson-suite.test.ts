import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { contextOf, recordsOf } from '#test/imports/import-inputs.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'
import { ImportError } from '../import-error.ts'
import { buildRow } from './build-row.ts'

// Valid and invalid GeoJSON texts. Some invalid ones are read because their faults do not matter.

async function outcomesOf(folder: 'good' | 'bad', file: string): Promise<string[]> {
  const content = readFileSync(realDataFile('suites/check-geojson', folder, file))
  try {
    const { records } = await recordsOf(content, file)
    return records.map((record) => {
      const built = buildRow(record, contextOf('asset'))
      return built.outcome === 'built' ? 'built' : built.reason
    })
  } catch (error) {
    if (error instanceof ImportError) return [error.message]
    throw error
  }
}

const unsupported: Record<string, string[]> = {
  'nullproperties.geojson': ['its location is longitude 0, latitude 0'],
  'nullgeometry.geojson': ['it has no geometry'],
}

const readable = [
  'badcoord.geojson',
  'bbox-4or6elements.geojson',
  'bbox-contains-string.geojson',
  'bbox-string.geojson',
  'different-first-last.geojson',
  'different-first-size.geojson',
  'feature_changed_semantics.geojson',
  'featurecollection_changed_semantics.geojson',
  'geometry_changed_semantics.geojson',
  'geometrycollection_nested.geojson',
  'multiple_problems.geojson',
  'point-toomany.geojson',
  'short-linearring.geojson',
  'stringcoord.geojson',
]

describeWithRealData('the check-geojson suite', () => {
  const filesIn = (folder: string) =>
    readdirSync(realDataFile('suites/check-geojson', folder)).filter((name) => name.endsWith('.geojson'))

  it('reads good texts with a supported geometry', async () => {
    const files = filesIn('good')
    expect(files).toHaveLength(17)
    for (const file of files) {
      const outcomes = await outcomesOf('good', file)
      expect(new Set(outcomes), file).toEqual(new Set(unsupported[file] ?? ['built']))
    }
  })

  it('rejects bad texts with a reason', async () => {
    const files = filesIn('bad')
    expect(files).toHaveLength(42)
    for (const file of files) {
      const outcomes = await outcomesOf('bad', file)
      expect(outcomes.includes('built'), file).toBe(readable.includes(file))
      expect(outcomes.length, file).toBeGreaterThan(0)
      for (const reason of outcomes) expect(reason, file).toMatch(/^(built|.* .*)$/)
    }
  })
})
