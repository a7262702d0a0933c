import { execFile } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { aPdf, aPhoto } from '#test/imports/file-bytes.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { projectFolder } from '#test/server/processes.ts'
import playwrightConfig from '../../playwright.config.ts'
import { ConfigArea } from './config-area.driver.ts'
import { Imports } from './imports.driver.ts'
import { MapCanvas } from './map-canvas.driver.ts'
import { MapPage } from './map-page.driver.ts'
import { serveProject } from './served-project.ts'
import { startStubTiles } from './stub-tiles.ts'

const usage = `npm run screenshots [-- VIEW... --size NAME --colors light|dark --base-map --readme --qgis]

Writes screenshots/VIEW-SIZE-COLORS.png: every view, or those whose names contain a VIEW.
--base-map  draws a plain gray base map; else there is none, as on a machine without a network
--readme    takes the README's picture, docs/screenshot.png
--qgis      takes those of docs/connecting.md, docs/pictures/qgis-*.png, with the programs qgis and xvfb-run`

const folder = join(projectFolder, 'screenshots')
const sizes = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 768, height: 1024 },
  // A 1280 x 800 screen at 200% zoom.
  zoomed: { width: 640, height: 400 },
  phone: { width: 360, height: 740 },
  landscape: { width: 740, height: 360 },
}
type Size = keyof typeof sizes
const colors = ['light', 'dark'] as const

type Hands = { page: Page; map: MapPage; area: ConfigArea; canvas: MapCanvas }
type View = (hands: Hands) => Promise<void>

const onMap =
  (path: string, then: View = async () => {}): View =>
  async (hands) => {
    await hands.map.visit(path)
    await hands.canvas.isComplete()
    await then(hands)
  }
const withDetails: View = ({ map }) => map.details.getByRole('heading', { level: 2 }).waitFor()
const onMapOfStaff =
  (path: string, then?: View): View =>
  async (hands) => {
    await hands.area.signIn()
    await onMap(path, then)(hands)
  }
const inArea =
  (path: string, then: View = async () => {}): View =>
  async (hands) => {
    await hands.area.signInTo(path)
    await then(hands)
  }
const section = (name: string) =>
  inArea(`/config/map/pine-ridge/${name}`, ({ canvas }) => canvas.isComplete())
const press =
  (name: string | RegExp): View =>
  ({ page }) =>
    page.getByRole('button', { name }).first().click()
const pressText =
  (text: string): View =>
  ({ page }) =>
    page.getByText(text, { exact: true }).first().click()

async function openTools(page: Page): Promise<void> {
  const fold = page.getByRole('button', { name: /^Drawing tools/ })
  if (await fold.isVisible()) await fold.click()
  await page.getByRole('toolbar', { name: 'Drawing' }).waitFor()
}
const edit: View = async (hands) => {
  await withDetails(hands)
  await hands.map.details
    .getByRole('button', { name: /^Edit (?!shape of )/ })
    .first()
    .click()
  await hands.page.getByRole('form', { name: /^Edit / }).waitFor()
}
const addFiles: View = async (hands) => {
  await withDetails(hands)
  const files = hands.page.getByRole('region', { name: 'Photos and files' })
  await files.getByRole('button', { name: 'Add photos or PDF' }).waitFor()
  const count = await files.getByRole('listitem').count()
  if (count === 0) {
    const photos = await Promise.all(
      ['#8a6d3b', '#4f7d4a', '#4a6a8a'].map((color) =>
        aPhoto({ width: 1600, height: 1200, color, noise: true }),
      ),
    )
    const buffers = photos.map((buffer, index) => ({
      name: `Valve ${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer,
    }))
    const deed = { name: 'Inspection of 2026.pdf', mimeType: 'application/pdf', buffer: aPdf() }
    await files.getByLabel('Photos and files').setInputFiles([...buffers, deed])
    await files.getByRole('button', { name: 'Inspection of 2026.pdf, 4 of 4' }).waitFor()
  }
  await files.scrollIntoViewIfNeeded()
  for (const picture of await files.locator('img').all())
    await picture.evaluate((image: HTMLImageElement) => image.decode())
}
const openGallery: View = async (hands) => {
  await addFiles(hands)
  await hands.page.getByRole('button', { name: /, 2 of 4$/ }).click()
  await hands.page.getByRole('img', { name: /, 2 of 4$/ }).waitFor()
}
const showMaintenance: View = async ({ page }) => {
  const section = page.getByRole('region', { name: 'Maintenance', exact: true })
  await section.getByRole('button', { name: 'Mark done today' }).waitFor()
  await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
const showTimeline: View = async (hands) => {
  await addFiles(hands)
  const { page } = hands
  const { origin, href: address } = new URL('/api/maps/pine-ridge/features/asset-3', page.url())
  await page.request.put(`${address}/open-pages/${'e'.repeat(32)}`, {
    headers: { origin },
    data: { isEditing: true },
  })
  const { version } = await (await page.request.get(address)).json()
  const headers = { origin, 'if-match': `"${version}"` }
  await page.request.patch(address, { headers, data: { description: `Seen ${version} times` } })
  await page.getByText('You are editing this in another window').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Timeline' }).click()
  await timeline.getByRole('list').waitFor()
  await timeline.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
const writeEntry: View = async (hands) => {
  await showMaintenance(hands)
  await hands.page.getByRole('button', { name: 'Add entry' }).click()
  await hands.page.getByRole('dialog').getByLabel('Done by').fill('Ridge Wells')
}
const startAdding =
  (kind: string): View =>
  async ({ page }) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
    await page.getByText(/^(Click|Tap) /).waitFor()
  }
const pressAround =
  (...offsets: [x: number, y: number][]): View =>
  async ({ page, canvas }) => {
    const { x, y } = await canvas.onPage(await canvas.middle())
    for (const [right, down] of offsets) await page.mouse.click(x + right, y + down)
  }
const chooseTool =
  (label: string): View =>
  async ({ page }) => {
    await openTools(page)
    await page.getByRole('button', { name: label, exact: true }).click()
    await page.getByText(/^(Click|Tap) /).waitFor()
  }
const drawRectangle: View = async (hands) => {
  await chooseTool('Draw: Rectangle')(hands)
  const { x, y } = await hands.canvas.onPage(await hands.canvas.middle())
  await hands.page.mouse.click(x - 60, y - 60)
  await hands.page.mouse.move(x, y)
  await hands.page.mouse.click(x + 60, y + 40)
  await hands.page.getByRole('button', { name: 'Done' }).click()
}

const selectRows: View = async ({ page }) => {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all$)/ })
  await boxes.first().click()
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  await page.getByText(/^4 (.* )?selected$/).waitFor()
}

let tables = 0
/** Another file each time: the first import would leave nothing to import. */
const bringTable: View = async ({ page }) => {
  tables += 1
  const rows = [
    `${tables}1,North gate,34.051,-111.091,Y,Ann Vasquez`,
    `${tables}2,Pond,34.052,-111.089,N,`,
    `${tables}3,Nowhere,here,,,`,
  ]
  const buffer = Buffer.from(`No,Label,Latitude,Longitude,Closed,OwnerName\n${rows.join('\n')}\n`)
  const { input, panel, isAtStep } = importsOf(page)
  await input.setInputFiles({ name: `hydrants-${tables}.csv`, mimeType: 'text/csv', buffer })
  await isAtStep(2)
  await panel.getByLabel('Import as').selectOption('Asset')
  await panel.getByLabel('Field for Label', { exact: true }).selectOption('Name')
}
const importsOf = (page: Page) => {
  const { panel, input } = new Imports(page)
  const isAtStep = (number: number) =>
    panel
      .locator('[aria-current=step]')
      .filter({ hasText: `${number}.` })
      .waitFor()
  const go = async (name: string, next: string) => {
    await panel.getByRole('button', { name, exact: true }).click()
    await panel.getByRole('button', { name: next, exact: true }).waitFor()
  }
  return { panel, input, isAtStep, go }
}
const tryTable: View = async (hands) => {
  await bringTable(hands)
  await importsOf(hands.page).go('Preview', 'Import 2 rows')
}
const importTable: View = async (hands) => {
  await tryTable(hands)
  await importsOf(hands.page).go('Import 2 rows', 'Undo')
}
const askForToken: View = async ({ page }) => {
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog', { name: 'Create token' }).waitFor()
}

const views: Record<string, View> = {
  'first-view': onMap('/'),
  'first-view-close': onMap('/#16/34.05/-111.09'),
  'first-view-far': onMap('/#11/34.05/-111.09'),
  'other-association': onMap('/map/birch-lake'),
  incident: onMap('/?select=incident-5', withDetails),
  asset: onMap('/?tab=asset&select=asset-3', withDetails),
  parcel: onMap('/?tab=parcel&select=parcel-7', withDetails),
  'incident-of-staff': onMapOfStaff('/?select=incident-5', withDetails),
  files: onMapOfStaff('/?tab=asset&select=asset-3', addFiles),
  gallery: onMapOfStaff('/?tab=asset&select=asset-3', openGallery),
  maintenance: onMapOfStaff('/?tab=asset&select=asset-22', showMaintenance),
  'maintenance-entry': onMapOfStaff('/?tab=asset&select=asset-22', writeEntry),
  timeline: onMapOfStaff('/?tab=asset&select=asset-3', showTimeline),
  'edit-incident': onMapOfStaff('/?select=incident-5', edit),
  'edit-asset': onMapOfStaff('/?tab=asset&select=asset-3', edit),
  'edit-parcel': onMapOfStaff('/?tab=parcel&select=parcel-7', async (hands) => {
    await edit(hands)
    await hands.page.getByLabel('Owner').fill('Somebody Else')
    await hands.page.getByLabel('Buildings').fill('two')
    await hands.page.keyboard.press('Control+s')
  }),
  'edit-overtaken': onMapOfStaff('/?tab=parcel&select=parcel-8', async (hands) => {
    const { page } = hands
    await edit(hands)
    await page.getByLabel('Name').fill('Parcel 8b')
    const { origin, href: address } = new URL('/api/maps/pine-ridge/features/parcel-8', page.url())
    const { version, buildings } = await (await page.request.get(address)).json()
    const headers = { origin, 'if-match': `"${version}"` }
    await page.request.patch(address, {
      headers,
      data: { name: `Parcel 8 (split ${version})`, buildings: buildings + 1 },
    })
    await page.getByText('The form shows').waitFor()
  }),
  'edit-in-table': inArea('/config/map/pine-ridge/features?select=parcel-7', edit),
  'add-menu': onMapOfStaff('/', press('Add')),
  'add-placing': onMapOfStaff('/#16/34.05/-111.09', startAdding('Asset')),
  'add-asset': onMapOfStaff('/#16/34.05/-111.09', async (hands) => {
    await startAdding('Asset')(hands)
    await pressAround([0, -40])(hands)
    await hands.page.getByRole('button', { name: 'Add', exact: true }).last().click()
    await hands.page.getByText('Must not be empty').waitFor()
  }),
  'add-parcel': onMapOfStaff('/#15/34.05/-111.09', async (hands) => {
    await startAdding('Parcel')(hands)
    await pressAround([-60, -80], [60, -60], [40, 40], [-60, -80])(hands)
    await hands.page
      .getByText(/^Overlaps|^Shares/)
      .first()
      .waitFor()
  }),
  'draw-again': onMapOfStaff('/?tab=parcel&select=parcel-7', async (hands) => {
    await edit(hands)
    await press('Draw again')(hands)
    await pressAround([-60, -80], [60, -60])(hands)
  }),
  'what-is-here-of-staff': onMapOfStaff('/#16/34.05/-111.09', async ({ page, canvas }) => {
    const { x, y } = await canvas.onPage(await canvas.middle())
    await page.mouse.click(x, y, { button: 'right' })
    await page.getByRole('dialog', { name: 'At this location' }).waitFor()
  }),
  'parcel-of-staff': onMapOfStaff('/?tab=parcel&select=parcel-7', withDetails),
  'list-of-assets': onMap('/?tab=asset'),
  'list-of-parcels': onMap('/?tab=parcel'),
  'list-found': onMap('/?text=road'),
  'list-empty': onMap('/?text=nothing-of-the-kind'),
  'filters-in-use': onMap('/?incidents=fire&off=parcel'),
  'filters-on': onMap('/?incidents=fire&off=parcel', press('Layers & Filters')),
  legend: onMap('/', async (hands) => {
    const all = hands.page.getByRole('button', { name: 'Base map and legend' })
    if (await all.isVisible()) {
      await all.click()
      await hands.page.getByRole('dialog').waitFor()
    } else await pressText('Legend')(hands)
  }),
  'incident-peeked-at': onMap('/?select=incident-5', async (hands) => {
    await withDetails(hands)
    const handle = hands.page.getByRole('button', { name: /^Change list height/ })
    if (await handle.isVisible()) await handle.press('ArrowDown')
  }),
  'no-such-map': async ({ map }) => {
    await map.visit('/map/no-such-map')
    await map.page.getByRole('heading', { name: 'Map not found' }).waitFor()
  },
  viewer: onMap('/webgl'),
  'viewer-selected': onMap('/webgl?select=feature-7', withDetails),
  'viewer-filters': onMap('/webgl?tab=filters'),
  'viewer-filters-on': onMap('/webgl?tab=filters&incidents=fire&off=line'),
  'viewer-drawing': onMap('/webgl', chooseTool('Draw: Rectangle')),
  'viewer-tools': onMap('/webgl', async ({ page }) => {
    await openTools(page)
  }),
  'viewer-deleting': onMap('/webgl', async (hands) => {
    await drawRectangle(hands)
    await chooseTool('Delete shapes')(hands)
    const { x, y } = await hands.canvas.onPage(await hands.canvas.middle())
    await hands.page.mouse.click(x, y)
  }),
  clients: inArea('/config/map', ({ page }) =>
    page
      .getByRole('link', { name: /^Select / })
      .first()
      .waitFor(),
  ),
  'clients-list': inArea('/config/map?sort=incidents', async ({ page }) => {
    await page.getByText('List', { exact: true }).click()
    await page.getByRole('table').waitFor()
  }),
  'copy-settings': inArea('/config/map/pine-ridge/configuration', async (hands) => {
    await press('Copy to others')(hands)
    await hands.page.getByLabel('All listed').waitFor()
  }),
  overview: section('map'),
  configuration: section('configuration'),
  features: section('features'),
  export: inArea('/config/map/pine-ridge/features?kind=asset', async (hands) => {
    await press(/^More$/)(hands)
    await hands.page.getByRole('menuitem', { name: 'Export…' }).click()
    await hands.page.getByRole('dialog').getByRole('radio').first().waitFor()
  }),
  import: section('import'),
  'import-columns': inArea('/config/map/pine-ridge/import', bringTable),
  'import-trial': inArea('/config/map/pine-ridge/import', tryTable),
  'import-done': inArea('/config/map/pine-ridge/import', importTable),
  people: inArea('/config/people', ({ page }) => page.getByRole('searchbox').waitFor()),
  'api-tokens': inArea('/config/tokens', ({ page }) => page.getByText('No tokens yet').waitFor()),
  'api-token-wanted': inArea('/config/tokens', askForToken),
  'api-tokens-of-map': section('tokens'),
  webhooks: section('webhooks'),
  'webhook-added': inArea('/config/map/pine-ridge/webhooks', press('Add webhook')),
  'rows-selected': inArea('/config/map/pine-ridge/features?kind=asset', selectRows),
  'rows-set-status': inArea('/config/map/pine-ridge/features?kind=asset', async (hands) => {
    await selectRows(hands)
    await hands.page.getByRole('button', { name: 'Set status' }).click()
    await hands.page.getByRole('menuitem', { name: 'Maintenance' }).click()
    await hands.page.getByRole('button', { name: /^Set .* to maintenance$/ }).waitFor()
  }),
  'rows-change-fields': inArea('/config/map/pine-ridge/features?kind=asset', async (hands) => {
    await selectRows(hands)
    await press('Actions')(hands)
    await hands.page.getByRole('menuitem', { name: 'Edit fields…' }).click()
    const dialog = hands.page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('Checked in spring')
    await dialog.getByRole('button', { name: /^Change description of/ }).waitFor()
  }),
  'rows-remove': inArea('/config/map/pine-ridge/features', async (hands) => {
    await selectRows(hands)
    await hands.page.getByLabel('Select all').check()
    await press('Actions')(hands)
    await hands.page.getByRole('menuitem', { name: 'Remove…' }).click()
    await hands.page.getByRole('button', { name: /^Remove \d+/ }).waitFor()
  }),
  notifications: inArea('/config/map/pine-ridge/map', async ({ area, canvas }) => {
    await canvas.isComplete()
    await area
      .tab('Notifications')
      .or(area.button(/^Notifications/))
      .first()
      .click()
  }),
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    size: { type: 'string', multiple: true, default: Object.keys(sizes) },
    colors: { type: 'string', multiple: true, default: [...colors] },
    'base-map': { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
    qgis: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const wanted = Object.keys(views).filter(
  (name) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)
const unknown = values.size.find((size) => !(size in sizes))
if (wanted.length === 0 || unknown !== undefined) {
  console.error(`There is no ${unknown === undefined ? 'view' : 'size'} of this name.\n\n${usage}`)
  console.error(`Views: ${Object.keys(views).join(', ')}\nSizes: ${Object.keys(sizes).join(', ')}`)
  process.exit(2)
}

mkdirSync(folder, { recursive: true })
await using tiles = { ...(await startStubTiles()), [Symbol.asyncDispose]: () => tiles.close() }
await using server = await serveProject({ tileAddress: tiles.address, hasSampleData: true })
const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
if (values.qgis) await takeOfQgis()
else if (values.readme) {
  await take('first-view', 'desktop', 'light')
  copyFileSync(join(folder, 'first-view-desktop-light.png'), join(projectFolder, 'docs/screenshot.png'))
} else
  for (const size of values.size as Size[])
    for (const scheme of values.colors) for (const name of wanted) await take(name, size, scheme)
await browser.close()
console.log(`The pictures are in ${folder}`)

async function take(name: string, size: Size, scheme: string) {
  const isPhone = sizes[size].width < 768
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: isPhone,
  })
  if (!values['base-map']) await context.route(`${tiles.origin}/**`, (route) => route.abort())
  const page = await context.newPage()
  const hands = {
    page,
    map: new MapPage(page, server.url),
    area: new ConfigArea(page, server),
    canvas: new MapCanvas(page),
  }
  const file = join(folder, `${name}-${size}-${scheme}.png`)
  try {
    page.setDefaultTimeout(15_000)
    await views[name]?.(hands)
    // biome-ignore lint/nursery/noPlaywrightNetworkidle: screenshots of any screen, not a test
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: file })
  } catch (error) {
    await page.screenshot({ path: file })
    console.error(`${name}, ${size}, ${scheme}: ${(error as Error).message.split('\n')[0]}`)
    process.exitCode = 1
  }
  await context.close()
}

async function takeOfQgis() {
  const home = mkdtempSync(join(tmpdir(), 'poa-qgis-'))
  const { secret } = await makeToken(server.database, { mapIds: ['pine-ridge'] })
  const program = join(projectFolder, 'test/e2e/qgis-pictures.py')
  const qgis = [
    'qgis',
    '--nologo',
    '--noversioncheck',
    '--noplugins',
    '--profiles-path',
    home,
    '--code',
    program,
  ]
  await promisify(execFile)(
    'xvfb-run',
    ['--auto-servernum', '--server-args=-screen 0 1400x1000x24', ...qgis],
    {
      env: { ...process.env, SERVER: server.url, MAP: 'pine-ridge', TOKEN: secret, FOLDER: folder },
      timeout: 120_000,
    },
  )
  rmSync(home, { recursive: true })
  for (const name of globSync('qgis-*.png', { cwd: folder }))
    copyFileSync(join(folder, name), join(projectFolder, 'docs/pictures', name))
}
