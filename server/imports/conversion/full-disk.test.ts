import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileOf, makeFolder } from '#test/imports/readable-files.ts'
import { cellOf, workbookOf } from '#test/imports/spreadsheets.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { outageOf } from '../../database/outage.ts'
import { makeReadable } from './readable-file.ts'

function mountSmall(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'poa-mount-'))
  const isMounted = mountSmall(folder)
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

const cells = Array.from({ length: 4_000 }, (_, index) => index + 2)
const rows = cells
  .map((row) => `<row r="${row}">${cellOf(`A${row}`, `name ${row}`.repeat(8))}</row>`)
  .join('')
const workbook = workbookOf(`<row r="1">${cellOf('A1', 'id')}</row>${rows}`)
const times = workbookOf(`<row r="1">${cellOf('A1', 'id')}</row>${rows}`, { formats: ['h:mm'] })
const text = Array.from({ length: 40_000 }, (_, index) => (index * 7919) % 100_003).join('\n')

const places = Array.from({ length: 4_000 }, (_, index) => ({ x: 100_000 + index, y: 5_000_000 + index }))
const projected = JSON.stringify({
  type: 'FeatureCollection',
  crs: { type: 'name', properties: { name: 'EPSG:3857' } },
  features: places.map(({ x, y }) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates: [x, y] },
  })),
})
const esri = JSON.stringify({ features: places.map((geometry) => ({ attributes: {}, geometry })) })
const topology = JSON.stringify({
  type: 'Topology',
  arcs: [],
  objects: {
    poles: {
      type: 'GeometryCollection',
      geometries: places.map(({ x, y }) => ({ type: 'Point', coordinates: [x, y] })),
    },
  },
})

// A disk of 128 KB; only root can make one.
describe.runIf(mayMount())('a full disk', () => {
  it.each([
    ['while unpacking', 'lots.zip', zipOf([{ name: 'lots.csv', bytes: text }])],
    ['while GDAL converts a table', 'lots.xlsx', workbook],
    ['while GDAL converts places', 'lots.geojson', projected],
    ['while a workbook is rewritten', 'times.xlsx', times],
    ['while Esri JSON is rewritten', 'lots.json', esri],
    ['while TopoJSON is rewritten', 'lots.json', topology],
  ])('is an outage, not an error of the file: %s', async (_when, name, content) => {
    const disk = makeFolder()
    mountSmall(disk)
    onTestFinished(() => void execFileSync('umount', [disk]))
    const path = fileOf(name, content)
    const read = () => makeReadable([path], join(disk, 'work'), { layer: null, projection: null })
    expect(await read().then(() => 'read', outageOf)).toBe('filesFull')
    execFileSync('mount', ['-o', 'remount,size=64m', disk])
    const { chosen } = await read()
    const lines = readFileSync(chosen?.file?.path ?? '', 'utf8').split('\n')
    expect(lines.length).toBeGreaterThan(4_000)
  })
})
