import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { applyConfiguration, tellOfConfiguration } from '#test/databases/test-map.ts'
import { hasRealData, realDataFile, realDataFolder } from '#test/imports/real-data-files.ts'
import { startNode } from '#test/server/processes.ts'
import { expect, test } from './fixtures.ts'
import type { ServedProject } from './served-project.ts'

const map = ['--map', 'cambridge']
const rockwell = { lat: 42.36287, lng: -71.1113 }

// biome-ignore lint/suspicious/noSkippedTests: only where there are no files to read, and never in CI
test.skip(!hasRealData && !process.env.CI, `no real data in ${realDataFolder}`)

/** Imports a copy, since the report is written beside the file. Returns the number of created rows. */
async function importFile(server: ServedProject, file: string, ...options: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-import-'))
  const copy = join(folder, basename(file))
  copyFileSync(file, copy)
  const env = { ...process.env, DATA_DIR: server.dataDirectory }
  const command = startNode('server/imports/import.cli.ts', [copy, ...map, ...options], { env })
  expect(await command.exited, command.output()).toBe(0)
  rmSync(folder, { recursive: true })
  return Number(/created\s+([\d,]+)/.exec(command.output())?.[1]?.replaceAll(',', ''))
}

test('shows parcels, hydrants and fires of real files in list, map and details', { tag: '@painted' }, async ({
  map,
  page,
  server,
}) => {
  const parcels = await importFile(
    server,
    realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson'),
    ...[
      '--client-name',
      'City of Cambridge',
      '--kind',
      'parcel',
      '--field',
      'name=Location',
      '--field',
      'id=ML',
    ],
    ...['--field', 'area=LandArea', '--area-unit', 'sqft', '--field', 'zoning.type=UseDescription'],
  )
  expect(parcels).toBeGreaterThan(13_000)
  await map.open('cambridge', { search: { tab: 'parcel' } })
  const [first] = (await (await page.request.get('/api/maps/cambridge/features?kind=parcel&limit=1')).json())
    .items
  await expect(map.rows.first()).toContainText(first.name)
  await map.canvas.cameraIs({ ...first.location, zoom: 12 })
  await applyConfiguration(server.database, 'cambridge', { publicMetadata: ['BookPage'] })
  await tellOfConfiguration(server.database, 'cambridge')
  await map.open('cambridge', { camera: { ...rockwell, zoom: 17 }, search: { tab: 'parcel' } })
  await map.hasCount('Parcels', parcels)
  await map.searchBox.fill('23 rockwell')
  await map.row('23 ROCKWELL ST').click()
  await map.hasDetailsOf('23 ROCKWELL ST')
  await expect(map.fact('Zoning')).toHaveText('THREE-FM-RES')
  await expect(map.fact('Area')).toHaveText(/^0\.07 acres \(\d{3} m²\)$/)
  await expect(map.fact('Book page')).toHaveText('14175/ 474')
  await expect(map.fact('LOC ID')).toBeHidden()

  await map.searchBox.fill('')
  const hydrants = await importFile(
    server,
    realDataFile('assets/cambridge-infra-hydrants.geojson'),
    ...['--kind', 'asset', '--type', 'water', '--field', 'name=HYDRANT_ID'],
  )
  await expect(map.tab('Assets')).toContainText(hydrants.toLocaleString('en-US'), { timeout: 10_000 })
  const fires = await importFile(
    server,
    realDataFile('incidents/calfire-last-state.json'),
    ...[
      '--yes',
      '--kind',
      'incident',
      '--type',
      'fire',
      '--field',
      'title=Name',
      '--field',
      'description=ConditionStatement',
    ],
  )
  await expect(map.tab('Incidents')).toContainText(String(fires), { timeout: 10_000 })

  await map.openTab('Incidents')
  await map.searchBox.fill('august complex')
  await map.row(/August Complex/).click()
  await expect(map.details).toContainText('<p><b>Due to the Complex’s size')
})
