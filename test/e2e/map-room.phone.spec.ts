import type { Locator } from '@playwright/test'
import { incident, origin, parcel, placeAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { ConfigArea } from './config-area.driver.ts'
import { coveringParts, overlap, rowsInFull } from './covering.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import { MapCanvas } from './map-canvas.driver.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'
import { people } from './sign-in.driver.ts'

const camera = { ...origin, zoom: 15 }
const upright = { width: 360, height: 640 }
/** A phone in landscape; a 1280 x 800 screen at 200% zoom. */
const low = [
  { width: 740, height: 360 },
  { width: 640, height: 400 },
]
const incidents = Array.from({ length: 12 }, (_, index) =>
  incident({
    id: `i${index}`,
    title: `Smoke over the ridge, seen from the county road, report ${index}`,
    description: 'Seen by several people who drove by on the county road, in the early morning of that day.',
    type: 'fire',
    severity: 'high',
  }),
)
const features = [...incidents, parcel({ id: 'p1' })]

/** Zoom counts as one control. */
const controls = (page: Page) =>
  new MapCanvas(page).section.evaluate((map) =>
    [...map.querySelectorAll('button, summary, label, input')]
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
      .map((control) => control.getAttribute('aria-label') ?? control.textContent)
      .filter((name) => name !== 'Zoom out'),
  )

async function isTidy(page: Page, more: Record<string, Locator> = {}): Promise<void> {
  await expect.poll(() => coveringParts(page, more)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width)
}

test('places the list beside a low map, and the chooser within any map', async ({ map, given, page }) => {
  const mapId = await given(features)
  for (const viewport of low) {
    await page.setViewportSize(viewport)
    await map.open(mapId, { camera })
    await expect(map.rows.first()).toBeVisible()
    expect(await rowsInFull(page.getByRole('listbox'), map.rows)).toBeGreaterThanOrEqual(3)
    const frame = await map.canvas.box()
    expect(frame.width).toBeGreaterThan(viewport.width / 2)
    expect(frame.height).toBeGreaterThan(viewport.height * 0.8)
    await isTidy(page)
    await map.rows.nth(1).tap()
    await expect(map.details.getByRole('heading', { level: 2 })).toBeInViewport({ ratio: 1 })
    const panel = await map.details.boundingBox()
    expect(panel && overlap(panel, await map.canvas.box())).toBe(false)
    await isTidy(page)
    await map.button('Close details').tap()
    await expect(map.rows.first()).toBeVisible()
  }
  for (const viewport of [upright, ...low]) {
    await page.setViewportSize(viewport)
    await map.open(mapId, { camera })
    await map.canvas.click(placeAt(0, 0))
    const chooser = page.getByRole('dialog', { name: 'Select a feature' })
    await expect(chooser).toContainText('12 features')
    const [card, land] = await Promise.all([chooser.boundingBox(), map.canvas.section.boundingBox()])
    if (!card || !land) throw new Error('The list or the map is not shown')
    expect(card.y).toBeGreaterThanOrEqual(land.y)
    expect(card.y + card.height).toBeLessThanOrEqual(land.y + land.height)
    expect(card.x + card.width).toBeLessThanOrEqual(land.x + land.width)
    await page.keyboard.press('Escape')
    await expect(chooser).toBeHidden()
  }
})

test('shows four controls on a phone map, one for base maps and legend', async ({ map, given, page }) => {
  await page.setViewportSize(upright)
  const mapId = await given(features)
  await map.open(mapId, { camera })
  const onMap = ['Base map and legend', 'Show my location', 'Zoom to all land', 'Zoom in']
  expect(await controls(page)).toEqual(onMap)
  await isTidy(page)
  await map.button('Base map and legend').tap()
  const dialog = page.getByRole('dialog', { name: 'Base map and legend' })
  await expect(dialog.getByText('Severity (circle radius)')).toBeVisible()
  await map.baseMap('Satellite').tap()
  await expect.poll(() => map.search()).toEqual({ base: 'satellite' })
  for (const viewport of [...low, upright]) {
    await page.setViewportSize(viewport)
    await expect.poll(async () => (await dialog.boundingBox())?.y).toBeGreaterThan(40)
  }
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await expect(dialog).toBeHidden()
})

test('peeks at details and keeps the height of the list, which scrolls before the sheet moves', async ({
  map,
  given,
  page,
}) => {
  await page.setViewportSize(upright)
  await map.open(await given(features), { camera })
  const sheet = new PhoneSheet(page)
  await map.rows.first().tap()
  const heading = map.details.getByRole('heading', { level: 2 })
  for (const [flick, stop] of [
    [60, 'full'],
    [-60, 'half'],
    [-60, 'small'],
  ] as const) {
    await sheet.flick(flick)
    await sheet.isAt(stop)
    await expect(heading).toBeInViewport({ ratio: 1 })
    await isTidy(page)
  }
  expect((await map.canvas.box()).height).toBe(upright.height - 48 - 100)
  for (const text of ['Incident · Fire', 'High', 'Unresolved'])
    await expect(map.details.getByText(text, { exact: true }).first()).toBeInViewport({ ratio: 1 })
  await map.button('Close details').tap()
  await sheet.isAt('small')
  await sheet.flick(60, map.tab('Incidents'))
  await sheet.isAt('half')
  await map.rows.first().tap()
  await sheet.isAt('half')
  await sheet.flick(-60, heading)
  await sheet.isAt('small')

  await map.button('Close details').tap()
  await sheet.flick(60, map.tab('Incidents'))
  await sheet.isAt('half')
  const scrolled = () => map.list.evaluate((list) => list.scrollTop)
  const half = await sheet.topAtRest()

  // Retries until the list has scrolled.
  const steadily = { intervals: [50] }
  const up = await sheet.touch(map.rows.nth(1))
  await expect.poll(() => up.moveOn(10).then(scrolled), steadily).toBeGreaterThan(60)
  await up.lift({ afterMs: 300 })
  const down = await sheet.touch(map.rows.nth(3))
  const before = await scrolled()
  await expect.poll(() => down.moveOn(-10).then(scrolled), steadily).toBeLessThan(before)
  expect(await sheet.top()).toBe(half)
  await down.lift({ afterMs: 300 })
  expect(await sheet.topAtRest()).toBe(half)

  await map.list.evaluate((list) => list.scrollTo(0, 0))
  await expect.poll(scrolled).toBe(0)
  const finger = await sheet.touch(map.rows.first())
  for (const pixels of [20, 60, 100]) {
    await finger.moveUp(-pixels)
    await expect.poll(() => sheet.top()).toBe(half + pixels)
  }
  expect(await scrolled()).toBe(0)
  await finger.lift()
  await sheet.isAt('small')
  await expect(map.details).toBeHidden()
})

test.describe('for staff, without a base map', () => {
  test.use({ toleratesNetworkFailures: true })
  test.beforeEach(({ page, tiles }) => page.route(`${tiles.origin}/**`, (route) => route.abort()))

  test('toasts, notices and bars never overlap', async ({ map, given, page, server }) => {
    await page.setViewportSize(upright)
    const mapId = await given(features)
    const viewer = new StaffViewer(page, server)
    await viewer.signIn('administrator')
    await viewer.open(mapId)
    const drawing = await DrawingByTouch.on(page)
    const toast = page.getByRole('alert').filter({ hasText: ': resolved' })
    const mark = page.locator('[role=status] > div', { hasText: 'No base map' })
    await expect.poll(async () => (await mark.boundingBox())?.width).toBeLessThanOrEqual(44)
    await expect(viewer.count).toBeVisible()
    await isTidy(page)
    await map.rows.first().tap()
    await map.details.getByRole('button', { name: 'Resolve' }).tap()
    await expect(toast).toBeVisible()
    await map.button('Close details').tap()
    await drawing.choose('Draw: Rectangle')
    await toast.hover()
    for (const viewport of [upright, ...low]) {
      await page.setViewportSize(viewport)
      await expect(toast).toBeVisible()
      await expect(drawing.action('Done')).toBeVisible()
      await isTidy(page, { bar: drawing.bar })
      // Above the footer that a form would have.
      const box = await toast.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height - 64)
    }
    await drawing.action('Done').tap()
  })

  test('moves Login into the menu at the top right after sign-in', async ({ map, given, page, server }) => {
    await page.setViewportSize(upright)
    const mapId = await given(features)
    const isAtTopRight = async (part: Locator) => {
      const box = await part.boundingBox()
      expect(box && box.x + box.width).toBeGreaterThan(upright.width - 24)
      expect(box && box.y + box.height).toBeLessThanOrEqual(48)
    }
    await map.open(mapId, { camera })
    await isAtTopRight(map.button('More pages and settings'))
    const login = page.getByRole('link', { name: 'Login' })
    await expect(login).toBeVisible()
    const area = new ConfigArea(page, server)
    for (const path of [`/config/map/${mapId}/map`, `/map/${mapId}`]) {
      await area.signInTo(path)
      await isAtTopRight(map.button('More pages and settings'))
      await expect(login).toBeHidden()
    }
    await map.button('More pages and settings').tap()
    await expect(page.getByRole('menu').getByText(people.administrator)).toBeVisible()
    await isAccessible(page)
    await page.getByRole('menuitem', { name: 'Logout' }).tap()
    await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  })
})
