import { incidentColors } from '#domain/features/palette.ts'
import { asset, incident, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'

const features = [
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire' }),
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(900, 0) }),
  parcel({ id: 'p1', name: 'Lot 1' }),
]
const camera = { ...placeAt(0, 0), zoom: 14 }

test.describe('with rendered pixels', () => {
  test.use({ deviceScaleFactor: 1 })

  test('resolves an incident in the table, updates other pages, and undoes it', { tag: '@painted' }, async ({
    area,
    given,
    page,
    visitor,
  }) => {
    const mapId = await given(features)
    await visitor.open(mapId, { camera, search: { select: 'i1' } })
    await expect(visitor.fact('Status')).toHaveText('Unresolved')
    /** Counts pixels of the incident's color around its pin: resolved pins are hollow. */
    const pinInk = () =>
      expect.poll(async () => {
        const { x, y } = await visitor.canvas.pointOf(placeAt(0, 0))
        return (await visitor.canvas.ink()).count(rgb(incidentColors.fire), boxAround({ x, y: y - 20 }, 20))
      })
    await pinInk().toBeGreaterThan(400)

    await area.openSection(mapId, 'features', 'administrator')
    const table = new FeatureTable(page)
    await table.statusOf('Smoke over the ridge').selectOption('Resolved')
    await expect(table.statusOf('Smoke over the ridge')).toHaveValue('resolved')
    const done = area.toast('‘Smoke over the ridge’: resolved')
    await expect(done).toBeVisible()
    await expect(table.details).toBeHidden()
    await expect(visitor.fact('Status')).toHaveText('Resolved')
    await expect(visitor.row('Smoke over the ridge')).toContainText('Resolved')
    await pinInk().toBeLessThan(400)

    await done.getByRole('button', { name: 'Undo' }).click()
    await expect(table.statusOf('Smoke over the ridge')).toHaveValue('unresolved')
    await expect(visitor.fact('Status')).toHaveText('Unresolved')
    await pinInk().toBeGreaterThan(400)

    await table.statusOf('Old well').selectOption('Maintenance')
    await expect(area.toast('‘Old well’: maintenance')).toBeVisible()
    await visitor.openTab('Assets')
    await expect(visitor.row('Old well')).toContainText('Maintenance')
    await expect(table.row('Lot 1').getByRole('button')).toHaveCount(0)
    await expect(table.row('Lot 1').getByRole('combobox')).toHaveCount(0)
  })
})
