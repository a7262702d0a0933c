import { asset, incident, parcel, placeAt } from '#test/databases/test-map.ts'
import { expect, type Page, test } from './fixtures.ts'

const features = [
  asset({ id: 'a1', name: 'Old well' }),
  incident({ id: 'i1', title: 'Smoke' }),
  parcel({ id: 'p1' }),
]
const camera = { ...placeAt(0, 0), zoom: 15 }

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      ...more: never[]
    ) {
      return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more)
    } as typeof getContext
  }),
)

async function saysSo(page: Page) {
  const words = page.getByRole('region', { name: 'Map', exact: true }).getByRole('alert')
  await expect(words).toContainText('Your browser cannot display the map.')
  await expect(words).toContainText('The map needs WebGL 2')
  await expect(words.getByRole('button', { name: 'Reload' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zoom in' })).toHaveCount(0)
}

test('the main map shows a message without WebGL, and list and details work', async ({
  given,
  map,
  page,
}) => {
  await map.visit(map.addressOf(await given(features), { camera }))
  await saysSo(page)
  await map.row('Smoke').click()
  await expect(map.details.getByRole('heading', { level: 2 })).toBeVisible()
  await map.searchBox.fill('no such thing')
  await expect(map.rows).toHaveCount(0)
  await map.button('Close details').click()
  await expect(map.details).toBeHidden()
})
