import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { onEngine } from '#test/databases/databases.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { usualImportLimits } from '../settings/import-limits.ts'
import { makeReadable } from './conversion/readable-file.ts'
import { importFeatures } from './import-features.ts'
import type { ReportedRow } from './import-watch.ts'

type Expected = { shapes: [name: string, type: string][]; reported?: string[]; west?: number }

const caseFiles: [file: string, Expected][] = [
  [
    'geometry-collections.geojson',
    {
      shapes: [
        ['GC one polygon', 'Polygon'],
        ['GC polygon and point', 'Polygon'],
        ['line', 'LineString'],
        ['point', 'Point'],
      ],
      reported: ['2 repaired: 1 label point removed'],
    },
  ],
  [
    'polygon-with-label-point.kml',
    {
      shapes: [
        ['Lot 35', 'Polygon'],
        ['Lot 36', 'Polygon'],
      ],
      reported: [1, 2].map((row) => `${row} repaired: 1 label point removed`),
    },
  ],
  [
    'ring-not-closed.geojson',
    {
      shapes: [['not closed', 'Polygon']],
      reported: [
        '1 repaired: a ring was closed at -71.064, 42.39',
        '2 refused: a ring has 3 positions; it needs at least 4',
      ],
    },
  ],
  [
    'longitude-over-180.geojson',
    {
      shapes: [['Taveuni lot', 'MultiPolygon']],
      reported: [
        '1 repaired: longitudes beyond 180 were shifted by 360 degrees; it was split at the date line',
      ],
      west: -180,
    },
  ],
  ['kmz-of-linked-kml.kmz', { shapes: [['Lot', 'Polygon']], west: -71.026 }],
  ['shapefile-without-shx.zip', { shapes: [['Parcel', 'Polygon']] }],
  ['esri-json.json', { shapes: [['Parcel 1', 'Polygon']], west: -71.1 }],
  ['variable-of-javascript.js', { shapes: [['Lot', 'Polygon']], west: -71.05199999999999 }],
]

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'poa-case-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

onEngine('sqlite', 'files of offices', (createDatabase) => {
  async function importFile(path: string) {
    const database = await createDatabase()
    const rows: ReportedRow[] = []
    const folder = temporaryFolder()
    const { layers, chosen } = await makeReadable(
      [path],
      folder,
      { layer: null, projection: null },
      usualImportLimits,
    )
    if (!chosen?.file) throw new Error(`layers: ${layers.map(({ id }) => id).join(', ')}`)
    const client = { name: 'Cases', location: '' }
    const options = { mapId: 'cases', kind: 'parcel', source: 'lots', client } as const
    await importFeatures(database, chosen.file, options, { onRow: (row) => rows.push(row) })
    const features = await database.read
      .selectFrom('features')
      .select(['name', 'geometry', 'fields'])
      .orderBy('name')
      .execute()
    return {
      owners: features.map(({ fields }) => (JSON.parse(fields) as { owner: string | null }).owner),
      geometries: features.map(({ geometry }) => JSON.parse(geometry) as Geometry),
      shapes: features.map(({ name, geometry }) => [name, (JSON.parse(geometry) as Geometry).type]),
      reported: rows.map(({ rowNumber, outcome, reason }) => `${rowNumber} ${outcome}: ${reason}`),
    }
  }

  function importText(name: string, content: string | Buffer) {
    const folder = temporaryFolder()
    writeFileSync(join(folder, name), content)
    return importFile(join(folder, name))
  }

  describeWithRealData('a file that breaks rules of its format', () => {
    it.each(caseFiles)('%s', async (file, { shapes, reported = [], west }) => {
      const result = await importFile(realDataFile('cases', 'files', file))
      expect(result).toMatchObject({ shapes, reported })
      if (west !== undefined)
        expect(extentOfGeometry(result.geometries[0] as Geometry).west).toBeCloseTo(
          west,
          file === 'esri-json.json' ? 1 : 9,
        )
    })
  })

  const triangle = {
    type: 'Polygon',
    coordinates: [
      [
        [-71, 42],
        [-70.99, 42],
        [-70.99, 42.01],
        [-71, 42],
      ],
    ],
  }
  it('reads shapes in a column: collections, empty ones, and in the projection that they name', async () => {
    const ring = '-71 42, -70.99 42, -70.99 42.01, -71 42'
    const rows = [
      `A;GEOMETRYCOLLECTION (POLYGON ((${ring})), POINT (-70.995 42.005))`,
      'B;SRID=3857;POINT(-7903683 5160979)',
      'C;Polygon Z EMPTY',
      'D;SRID=26931;POINT (1 2)',
    ]
    const text = `name;geom\n${rows.map((row) => row.replace(/;(.*)/, ';"$1"')).join('\n')}\n`
    const { shapes, geometries, reported } = await importText('lots.csv', text)
    expect(shapes).toEqual([
      ['A', 'Polygon'],
      ['B', 'Point'],
    ])
    expect(extentOfGeometry(geometries[1] as Geometry).west).toBeCloseTo(-71, 4)
    expect(reported).toEqual([
      '1 repaired: 1 label point removed',
      '3 refused: it has no geometry',
      '4 refused: its shape is in EPSG:26931, which is not supported here; convert it to EPSG:4326',
    ])
  })

  const feature = { type: 'Feature', properties: { name: 'Lot' }, geometry: triangle }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })

  it.each([
    `var lots = ${text};`,
    `// Lots\n/* of 2024 */\n'use strict';\nconst lots =\n${text}\n;\n`,
    `window.lots=${text}`,
    `window['lots'] = ${text};`,
    `export default ${text}`,
    `export const lots = ${text};\n`,
    `module.exports = ${text};`,
  ])('reads a script that assigns GeoJSON: %.40s', async (script) => {
    expect(await importText('lots.js', script)).toMatchObject({ shapes: [['Lot', 'Polygon']] })
  })

  it('reports the line of a script where its JSON breaks, and never runs it', async () => {
    await expect(importText('lots.js', 'var lots =\n{"type": FeatureCollection};')).rejects.toThrow('line 2')
    await expect(importText('lots.js', `${text};`)).rejects.toThrow('The JSON is invalid')
  })

  it('reads quantized TopoJSON as longitude and latitude', async () => {
    const topology = {
      type: 'Topology',
      transform: { scale: [0.01, 0.01], translate: [-71, 42] },
      objects: {
        lots: {
          type: 'GeometryCollection',
          geometries: [{ type: 'Polygon', arcs: [[0]], properties: { name: 'Lot' } }],
        },
      },
      arcs: [
        [
          [0, 0],
          [1, 0],
          [0, 1],
          [-1, -1],
        ],
      ],
    }
    const { shapes, geometries } = await importText('lots.json', JSON.stringify(topology))
    expect(shapes).toEqual([['Lot', 'Polygon']])
    expect(extentOfGeometry(geometries[0] as Geometry)).toMatchObject({ west: -71, north: 42.01 })
  })

  it('reads Esri JSON: polygons of clockwise rings with their holes', async () => {
    const square = (from: number, to: number) => [
      [from, from],
      [from, to],
      [to, to],
      [to, from],
      [from, from],
    ]
    const rings = [square(10, 11), square(10.4, 10.6).toReversed(), square(12, 13)]
    const esri = {
      geometryType: 'esriGeometryPolygon',
      spatialReference: { wkid: 4326 },
      fields: [{ name: 'name', type: 'esriFieldTypeString' }],
      features: [{ attributes: { name: 'Lot' }, geometry: { rings } }],
    }
    const { shapes, geometries } = await importText('lots.json', JSON.stringify(esri))
    expect(shapes).toEqual([['Lot', 'MultiPolygon']])
    const polygons = geometries[0]?.type === 'MultiPolygon' ? geometries[0].coordinates : []
    expect(polygons.map((polygon) => polygon.length).toSorted()).toEqual([1, 2])
  })

  it('requires a choice between two linked files of a KMZ, without the one that has no Placemarks', async () => {
    const kml = (inside: string) => `<kml><Document>${inside}</Document></kml>`
    const files = ['doc', 'a', 'b'].map((name) => ({
      name: `${name}.kml`,
      bytes: kml(
        name === 'doc'
          ? '<NetworkLink/>'
          : '<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>',
      ),
    }))
    await expect(importText('lots.kmz', zipOf(files))).rejects.toThrow('layers: a.kml, b.kml')
  })

  it('reads the table in the description of a Placemark as columns', async () => {
    const description =
      '<description><![CDATA[<table><tr><td>OWNER</td><td>Smith</td></tr></table>]]></description>'
    const place = '<Point><coordinates>-71,42</coordinates></Point>'
    const kml = `<kml><Placemark><name>Lot</name>${description}${place}</Placemark></kml>`
    expect(await importText('lots.kml', kml)).toMatchObject({ shapes: [['Lot', 'Point']], owners: ['Smith'] })
  })

  it('explains how to save an old workbook that cannot be read', async () => {
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    await expect(importText('lots.xls', old)).rejects.toThrow('save it as "Excel Workbook (.xlsx)"')
  })
})
