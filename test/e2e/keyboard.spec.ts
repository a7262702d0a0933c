import { asset, incident, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }
const features = [
  incident({ id: 'i1', title: 'First smoke', date: '2026-05-03T10:00:00Z', geometry: pointAt(500, 0) }),
  incident({ id: 'i2', title: 'Second smoke', date: '2026-05-02T10:00:00Z', geometry: pointAt(0, 500) }),
  incident({ id: 'i3', title: 'Third smoke', date: '2026-05-01T10:00:00Z' }),
  asset({ id: 'a1' }),
  parcel({ id: 'p1' }),
]

test('every shortcut works as the help says, and the list is read by keyboard', async ({
  map,
  given,
  page,
}) => {
  await map.open(await given(features), { camera })
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Zoom to all land')
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(map.tab('Incidents')).toHaveAttribute('aria-selected', 'true')

  for (const [key, tab] of [
    ['2', 'Assets'],
    ['3', 'Parcels'],
    ['1', 'Incidents'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(map.tab(tab)).toHaveAttribute('aria-selected', 'true')
  }

  await page.keyboard.press('b')
  await expect(map.list).toBeHidden()
  await page.keyboard.press('b')
  await expect(map.list).toBeVisible()

  await page.keyboard.press('/')
  await expect(map.searchBox).toBeFocused()
  await page.keyboard.type('b?1')
  await expect(map.searchBox).toHaveValue('b?1')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Escape')
  await expect(map.searchBox).not.toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(map.searchBox).toBeFocused()
  await page.keyboard.press('Escape')

  await page.keyboard.press('b')
  await page.keyboard.press('/')
  await expect(map.searchBox).toBeFocused()
  await page.keyboard.press('Escape')

  await page.keyboard.press('h')
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBeGreaterThan(14)

  await map.openTab('Incidents')
  await map.searchBox.focus()
  const isOnList = () => map.list.evaluate((list) => list === document.activeElement)
  for (let presses = 0; presses < 5 && !(await isOnList()); presses++) await page.keyboard.press('Tab')
  await expect(map.list).toBeFocused()
  await expect(map.list).toHaveAccessibleName('Incidents')
  await expect(map.list).toHaveCSS('outline-style', 'solid')
  const first = map.row('First smoke')
  await expect(first).toHaveAttribute('aria-setsize', '3')
  await expect(first).toHaveAttribute('aria-posinset', '1')
  await expect(first).toHaveAttribute('aria-selected', 'false')

  await page.keyboard.press('ArrowDown')
  const second = map.row('Second smoke')
  await expect(map.list).toHaveAttribute('aria-activedescendant', (await second.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await map.hasDetailsOf('Second smoke')
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await map.canvas.cameraIs({ ...placeAt(0, 500), zoom: 15 })
  await expect(map.details.getByRole('status').filter({ hasText: /^Selected/ })).toHaveText(
    'Selected: Second smoke',
  )
  await expect(map.list).toBeFocused()

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await map.hasDetailsOf('Third smoke')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await map.hasDetailsOf('First smoke')
  await page.keyboard.press('Escape')
  await expect(map.details).toBeHidden()
  await expect(map.list).toBeFocused()
})
