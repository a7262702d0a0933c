import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { fileOf, readFiles, recordsAt } from '#test/imports/readable-files.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFolder } from '#test/imports/real-data-files.ts'
import { cellOf, workbookOf } from '#test/imports/spreadsheets.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { withControl, withFlag } from '../explain-remedy.ts'
import { ImportError } from '../import-error.ts'
import { explainGdal } from './gdal.ts'

/** GDAL's own words, and paths of the server. Commands that convert a file are our own advice. */
const developerWords =
  /ERROR \d|config|\bSET\b|driver|\.cpp|\bVSI|\bOGR(?!2ogr|info)|sqlite3|SQLite|PROJ:|\/(input|output|tmp|vsimem|usr)\/|0x[\da-f]|signature|errno/i

async function messagesOf(name: string, content: Uint8Array): Promise<string[]> {
  const path = fileOf(name, content)
  try {
    const { layers, chosen, path: readable } = await readFiles([path])
    const layer = layers[0]?.id ?? null
    await recordsAt(chosen ? readable : (await readFiles([path], { layer })).path)
    return []
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    return [withControl(error), withFlag(error)]
  }
}

function damaged(content: Buffer): Buffer[] {
  const cut = [0.3, 0.6, 0.95].map((share) => content.subarray(0, Math.floor(content.length * share)))
  const overwritten = [0.1, 0.4, 0.8].map((share) => {
    const copy = Buffer.from(content)
    const from = Math.floor(copy.length * share)
    copy.fill(0xa5, from, Math.min(from + 64, copy.length))
    return copy
  })
  return [content, ...cut, ...overwritten]
}

async function expectPlainWords(name: string, content: Buffer) {
  for (const bytes of damaged(content))
    for (const message of await messagesOf(name, bytes)) expect(message, name).not.toMatch(developerWords)
}

it.each([
  ['workbook', 'a.xlsx', workbookOf(`<row r="1">${cellOf('A1', 'id')}</row>`)],
  ['zip', 'a.zip', zipOf([{ name: 'lots.csv', bytes: 'a,b\n1,2\n'.repeat(500) }])],
  [
    'GPX',
    'a.gpx',
    Buffer.from('<gpx version="1.1"><wpt lat="1" lon="2"><name>A</name></wpt><wpt lat="x"/></gpx>'),
  ],
  ['DXF', 'a.dxf', Buffer.from('0\nSECTION\n2\nENTITIES\n0\nPOINT\n10\nx\n20\n2\n0\nENDSEC\n0\nEOF\n')],
  [
    'GeoJSON with a projection',
    'a.json',
    Buffer.from(
      '{"crs":{"type":"name","properties":{"name":"EPSG:2223"}},"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1e300,1]}}]}',
    ),
  ],
  [
    'Shapefile without .shx',
    'a.zip',
    zipOf([{ name: 'a.shp', bytes: Buffer.concat([Buffer.from([0, 0, 0x27, 0x0a]), Buffer.alloc(96)]) }]),
  ],
] as const)('describes a damaged %s without words of GDAL', async (_what, name, content) => {
  await expectPlainWords(name, content as Buffer)
})

it('never repeats messages of GDAL', () => {
  const unknown = 'ERROR 4: /vsimem/a.foo: driver FOO failed. Set FOO_BAR config option to YES'
  expect(explainGdal([unknown, 'ogr.cpp, 12: boom'])).not.toMatch(developerWords)
  expect(
    explainGdal(['ERROR 4: Unable to open /input/a.shx. Set SHAPE_RESTORE_SHX config option to YES']),
  ).toBe('its .shx is missing or damaged. Add it from the same download')
  expect(explainGdal(['ERROR 1: XML parsing of GPX file failed : no element at line 3, column 7'])).toBe(
    'it is invalid at line 3, column 7',
  )
})

describeWithRealData('real files that failed', () => {
  const folder = join(realDataFolder, 'cases/files')
  const formats = join(realDataFolder, 'formats')
  const small = (path: string) => readFileSync(path).length < 300_000

  it('are described without words of GDAL', async () => {
    const paths = [folder, formats]
      .flatMap((one) => readdirSync(one, { withFileTypes: true }).map((entry) => ({ one, entry })))
      .flatMap(({ one, entry }) => (entry.isFile() ? [join(one, entry.name)] : []))
      .filter(small)
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) await expectPlainWords(basename(path), readFileSync(path))
  }, 120_000)
})
