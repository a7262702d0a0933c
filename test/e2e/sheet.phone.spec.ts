import { asset, incident, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { Ink } from './ink.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'
import { stubTileColors } from './stub-tiles.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const camera = { ...placeAt(0, 0), zoom: 13 }
const features = [
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire', geometry: pointAt(300, 200) }),
  incident({ id: 'i2', title: 'Creek over its banks', type: 'flood' }),
  asset({ id: 'a1' }),
  parcel({ id: 'p1' }),
]

test('moves the sheet between three stops by finger, tap and key', { tag: '@painted' }, async ({
  map,
  given,
  page,
}) => {
  await map.open(await given(features), { camera })
  const sheet = new PhoneSheet(page)
  const rests = { half: 370, full: 112, small: 640 }
  await sheet.isAt('half')
  expect(await sheet.topAtRest()).toBe(rests.half)
  const mapBox = await map.canvas.box()

  const finger = await sheet.touch()
  for (const pixelsUp of [60, -150, -330, 300, -30, 40]) {
    await finger.moveUp(pixelsUp)
    const top = Math.max(rests.full, Math.min(rests.small, rests.half - pixelsUp))
    await expect.poll(() => sheet.top()).toBe(top)
    expect(await map.canvas.box()).toEqual(mapBox)
  }
  await finger.lift({ afterMs: 300 })
  expect(await sheet.topAtRest()).toBe(rests.half)

  for (const [pixelsUp, stop] of [
    [120, 'half'],
    [-400, 'small'],
    [270, 'half'],
  ] as const) {
    const slow = await sheet.touch()
    for (const share of [0.5, 1]) await slow.moveUp(pixelsUp * share)
    await slow.lift({ afterMs: 300 })
    expect(await sheet.topAtRest()).toBe(rests[stop])
  }

  for (const [pixelsUp, stop] of [
    [60, 'full'],
    [-40, 'half'],
    [-40, 'small'],
    [60, 'half'],
  ] as const) {
    await sheet.flick(pixelsUp)
    await sheet.isAt(stop)
    expect(await sheet.topAtRest()).toBe(rests[stop])
  }

  for (const stop of ['full', 'small', 'half'] as const) {
    await sheet.handle.tap()
    await sheet.isAt(stop)
  }

  await sheet.handle.focus()
  for (const [key, stop] of [
    ['ArrowUp', 'full'],
    ['ArrowDown', 'half'],
    ['ArrowDown', 'small'],
    ['ArrowDown', 'small'],
    ['Enter', 'half'],
  ] as const) {
    await page.keyboard.press(key)
    await sheet.isAt(stop)
    expect(await sheet.ring()).toBe('solid')
  }

  await sheet.flick(120)
  await sheet.share().toBe(85)
  const gap = { left: 106, top: 52, right: 118, bottom: 90 }
  const above = async () => new Ink(await page.screenshot({ scale: 'css' }))
  await expect.poll(async () => (await above()).count(stubTileColors.street, gap, 4)).toBe(12 * 38)
})

test('replaces the list by details, opens filters at full height, and fits the screen', async ({
  map,
  given,
  page,
}) => {
  const long = 'Unbreakable'.repeat(12)
  const tanks = Array.from({ length: 30 }, (_, index) =>
    asset({
      id: `t${index + 1}`,
      name: `Tank ${index + 1}`,
      geometry: pointAt(-300, -200 - 500 * (29 - index)),
    }),
  )
  const [smoke, ...others] = features
  const longest = incident({ id: 'long', title: long, description: long, geometry: pointAt(-300, 500) })
  await map.open(await given([...(smoke ? [smoke] : []), longest, ...others, ...tanks], { name: long }), {
    camera,
  })
  const sheet = new PhoneSheet(page)
  const widest = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter((element) => !element.closest('[aria-hidden=true], canvas, [class*=announcement]'))
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5)
        .filter(
          (element) => getComputedStyle(element).overflow === 'visible' && element.children.length === 0,
        )
        .filter((element) => !element.closest('[class*=title], [class*=header] p'))
        .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 20)}`),
    )
  await expect(map.row(long)).toBeVisible()
  expect(await widest()).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await sheet.smallTargets(page.locator('[data-stop]'), 44)).toEqual([])
  await map.row(long).tap()
  await map.hasDetailsOf(long)
  expect(await widest()).toEqual([])
  expect(await sheet.smallTargets(page.locator('[data-stop]'), 44)).toEqual([])
  await map.button('Close details').tap()

  await map.row('Smoke over the ridge').tap()
  await map.hasDetailsOf('Smoke over the ridge')
  await expect(page.locator('main :focus', { has: map.details })).toHaveCount(1)
  await expect(map.list).toBeHidden()
  await map.canvas.cameraIs({ ...placeAt(300, 200), zoom: 15 })
  const panel = await map.details.boundingBox()
  const frame = await map.canvas.box()
  expect(panel?.y).toBeGreaterThanOrEqual(frame.y + frame.height - 1)
  await map.button('Close details').tap()
  await expect(map.list).toBeFocused()
  await expect(map.row('Smoke over the ridge')).toBeVisible()
  await map.canvas.isComplete()
  const point = await map.canvas.placeOnPage(placeAt(-300, -200))
  await page.touchscreen.tap(point.x, point.y)
  await map.hasDetailsOf('Tank 30')
  await map.button('Close details').tap()
  await expect(map.tab('Assets')).toHaveAttribute('aria-selected', 'true')
  await expect(map.row('Tank 30')).toBeInViewport()

  await map.openTab('Incidents')
  await map.filtersButton.tap()
  await expect(sheet.filters).toBeVisible()
  await expect.poll(async () => (await sheet.filters.boundingBox())?.height).toBe(page.viewportSize()?.height)
  await expect.poll(async () => (await sheet.filters.boundingBox())?.y).toBe(0)
  expect(await sheet.smallTargets(sheet.filters, 44)).toEqual([])
  await map.filter('Incident type').selectOption('fire')
  await sheet.filters.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet.filters).toBeHidden()
  await map.hasCount('Incidents', 1)
  await expect(map.row('Smoke over the ridge')).toBeVisible()
  await expect(map.filtersButton).toHaveAccessibleName('Layers & Filters 1 active')
  await map.button('Reset layers and filters').tap()
  await map.hasCount('Incidents', 3)
  await expect(map.filtersButton).toHaveAccessibleName('Layers & Filters')
})
