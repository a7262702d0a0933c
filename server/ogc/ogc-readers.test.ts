import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  line,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'
import { findOgrinfo } from '../../scripts/find-tools.mjs'

const ogrinfo = findOgrinfo()
const run = promisify(execFile)
const program = (name: string) => join(dirname(ogrinfo ?? ''), name)

onEngine('sqlite', 'a map', (createDatabase) => {
  describe.skipIf(ogrinfo === undefined && !process.env.CI)('with GDAL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'poa-ogc-'))
    let app: TestApp
    let address: string
    let token: Awaited<ReturnType<typeof makeToken>>
    beforeAll(async () => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      await storeFeatures(database, [
        ...Array.from({ length: 25 }, (_, index) =>
          aParcel({
            id: `lot-${index}`,
            name: `Lot ${index}`,
            area: index + 0.5,
            geometry: square(-111.1 + index * 0.01, 34, 0.005),
          }),
        ),
        anAsset({ id: 'tank', geometry: point(-111.05, 34.01) }),
        anAsset({ id: 'road', geometry: line([-111.1, 34.02], [-111, 34.03]) }),
        anIncident({ id: 'may', date: '2026-05-20T08:30:00.000Z' }),
        anIncident({ id: 'june', date: '2026-06-01T00:00:00.000Z' }),
        aGeneralFeature({ id: 'spring' }),
      ])
      app = await startTestApp(database)
      token = await makeToken(database, { scopes: ['read'] })
      address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    })
    afterAll(async () => {
      await app.close()
      rmSync(folder, { recursive: true })
    })

    /** Warnings of GDAL fail the test. */
    async function list(...options: string[]) {
      const { stdout, stderr } = await run(program('ogrinfo'), [
        '-ro',
        '-al',
        ...options,
        `OAPIF:${address}/ogc/oak-hills`,
      ])
      expect(stderr).toBe('')
      return new Map(
        stdout
          .split(/^Layer name: /m)
          .slice(1)
          .map((part) => [part.slice(0, part.indexOf('\n')), part]),
      )
    }
    const featuresIn = (part = '') => part.match(/^OGRFeature\(/gm)?.length ?? 0

    it('has a layer for each collection, with its type, its fields and all of its features', async () => {
      const layers = await list()
      expect([...layers.keys()]).toEqual([
        'parcels',
        'assets.points',
        'assets.lines',
        'assets.areas',
        'incidents',
        'items.points',
      ])
      for (const [name, type, count] of [
        ['parcels', 'Multi Polygon', 25],
        ['assets.points', 'Point', 1],
        ['assets.lines', 'Multi Line String', 1],
        ['incidents', 'Point', 2],
        ['items.points', 'Point', 1],
      ] as const) {
        const part = layers.get(name)
        expect(part).toContain(`Geometry: ${type}\n`)
        expect(part).toContain(`Feature Count: ${count}\n`)
        expect(featuresIn(part), name).toBe(count)
      }
      expect(layers.get('parcels')).toMatch(/^area: Real \(0\.0\)$/m)
      expect(layers.get('parcels')).toMatch(/^purchaseDate: Date \(0\.0\)$/m)
      expect(layers.get('incidents')).toMatch(/^date: DateTime \(0\.0\)$/m)
      expect(layers.get('incidents')).toMatch(/^resolved: Integer\(Boolean\)/m)
      expect(layers.get('parcels')).not.toContain('owner')
    }, 60_000)

    it('shows staff data with a token as the password', async () => {
      const withPassword = (password: string) => list('--config', 'GDAL_HTTP_USERPWD', `token:${password}`)
      const layers = await withPassword(token.secret)
      expect(layers.get('parcels')).toMatch(/^ {2}owner \(String\) = Harold Vasquez$/m)
      expect(layers.get('assets.points')).toMatch(/^maintenancePlan\.task: String/m)
      await expect(withPassword(`poa_${'x'.repeat(43)}`)).rejects.toThrow(/401/)
    }, 60_000)

    it('is copied into a GeoPackage, completely or filtered', async () => {
      const copied = async (name: string, layers: string[], ...options: string[]) => {
        const file = join(folder, `${name}.gpkg`)
        const { stderr } = await run(program('ogr2ogr'), [
          ...options,
          file,
          `OAPIF:${address}/ogc/oak-hills`,
          ...layers,
        ])
        expect(stderr).toBe('')
        const { stdout } = await run(program('ogrinfo'), ['-ro', '-so', '-al', file])
        return Object.fromEntries(
          [...stdout.matchAll(/^Layer name: (.+)$[\s\S]*?^Feature Count: (\d+)$/gm)].map(
            ([, layer, count]) => [layer, Number(count)],
          ),
        )
      }
      expect(await copied('all', [])).toMatchObject({ parcels: 25, 'assets.points': 1, incidents: 2 })
      expect(await copied('some', ['parcels'], '-where', 'area > 20')).toEqual({ parcels: 5 })
      expect(await copied('one', ['parcels'], '-where', "id = 'lot-7'")).toEqual({ parcels: 1 })
      expect(await copied('box', ['parcels'], '-spat', '-111.1', '34', '-111.08', '34.1')).toEqual({
        parcels: 3,
      })
      expect(await copied('time', ['incidents'], '-where', "date >= '2026/05/25 00:00:00'")).toEqual({
        incidents: 1,
      })
    }, 60_000)
  })
})
