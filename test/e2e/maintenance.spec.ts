import { calendarDay } from '#web/ui/relative-time.ts'
import { asset, placeAt, pointAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { dayIn, Maintenance, yearly } from './maintenance.driver.ts'
import { Records } from './records.driver.ts'

const done = (days: number, description: string) => ({ date: dayIn(days), description })
const well = asset({
  id: 'well',
  name: 'Well 1',
  maintenancePlan: { ...yearly, task: 'Water sample', everyMonths: 3 },
  lastMaintenance: dayIn(-150),
  maintenanceHistory: [done(-150, 'Sampled'), done(-300, 'Sampled before')],
})

test.describe('a maintenance entry', () => {
  // The server refuses the future day.
  test.use({ expectedComplaint: /400 \(Bad Request\)/ })
  test('is added, changed, removed and restored; visitors see its day and text', async ({
    area,
    given,
    page,
    server,
    visitor,
  }) => {
    const mapId = await given([well])
    const records = new Records(page, server)
    const maintenance = new Maintenance(page)
    await records.open(mapId, 'well')
    await expect(maintenance.section).toContainText('Plan: Water sample, every 3 months')
    await expect(maintenance.section).toContainText(/Overdue since /)
    await maintenance.button('Done today').click()
    await expect(area.toast('‘Water sample’ is done')).toBeVisible()
    await expect(maintenance.entries).toHaveCount(3)
    await expect(maintenance.entries.first()).toContainText('Water sample')
    await expect(maintenance.section).toContainText(/Next due /)
    await area.toast('‘Water sample’ is done').getByRole('button', { name: 'Undo' }).click()
    await expect(maintenance.entries).toHaveCount(2)
    await expect(maintenance.section).toContainText(/Overdue since /)

    await maintenance.button('Add entry').click()
    await maintenance.fill({ 'What was done': ' ', 'By whom': 'Ridge Wells', Cost: 'much', Hours: '3.5' })
    await maintenance.dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(maintenance.field('What was done')).toHaveAccessibleDescription(/Must not be empty/)
    await expect(maintenance.field('Cost')).toHaveAccessibleDescription(/Must be a number/)
    await maintenance.fill({ 'What was done': 'Pump replaced', Cost: '1,250.5', 'Done on': dayIn(9) })
    await page.keyboard.press('Control+s')
    await expect(maintenance.field('Done on')).toHaveAccessibleDescription(/Must not be in the future/)
    await isAccessible(page)
    await maintenance.fill({ 'Done on': dayIn(-2) })
    await page.keyboard.press('Escape')
    await expect(maintenance.dialog).toBeHidden()
    await maintenance.button('Go on with the entry').click()
    await expect(maintenance.field('By whom')).toHaveValue('Ridge Wells')
    await maintenance.send('Add')
    await expect(maintenance.entries.first()).toHaveText(
      `${calendarDay(dayIn(-2))} Pump replacedRidge Wells · $1,250.50 · 3.5 h`,
    )
    await isAccessible(page)

    const named = calendarDay(dayIn(-2))
    await maintenance.button(`Change the entry of ${named}`).click()
    await maintenance.fill({ Cost: '900', Hours: '', 'Next due': dayIn(20) })
    await maintenance.send('Save')
    await expect(maintenance.entries.first()).toContainText('Ridge Wells · $900 · next due')
    await expect(maintenance.section).toContainText(`Due ${calendarDay(dayIn(20))}`)
    await visitor.visit(`/map/${mapId}?select=well`)
    await expect(visitor.fact('Maintenance history')).toContainText(`${named}: Pump replaced`)
    await expect(visitor.details).not.toContainText(/Ridge Wells|900|Water sample/)

    await maintenance.button(`Remove the entry of ${named}`).click()
    await expect(maintenance.entries).toHaveCount(2)
    await area.toast('The entry is removed').getByRole('button', { name: 'Undo' }).click()
    await expect(maintenance.entries).toHaveCount(3)
    await records.timelineToggle.click()
    await expect(records.timeline).toContainText('Grace Whitfield changed it')
    await expect(records.timeline).toContainText('Pump replaced · Ridge Wells · $900')
  })
})

test.describe('two users editing one entry', () => {
  test.use({ expectedComplaint: /412 \(Precondition/ })
  test('resolve the conflict', async ({ area, given, page, server }) => {
    const mapId = await given([well])
    const records = new Records(page, server)
    const maintenance = new Maintenance(page)
    await records.open(mapId, 'well')
    const named = calendarDay(dayIn(-150))
    await maintenance.button(`Change the entry of ${named}`).click()
    await maintenance.fill({ 'What was done': 'Sampled, all clear' })
    const log = `${server.url}/api/maps/${mapId}/features/well/maintenance`
    const { items } = await (await page.request.get(log)).json()
    const theirs = await page.request.patch(`${log}/${items[0].id}`, {
      headers: { origin: server.url, 'if-match': `"${items[0].version}"` },
      data: { text: 'Sampled by the county' },
    })
    expect(theirs.status()).toBe(200)
    await maintenance.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(maintenance.dialog.getByRole('alert')).toContainText('Sampled by the county')
    await isAccessible(page)
    await maintenance.dialog.getByRole('button', { name: 'Keep mine' }).click()
    await expect(area.toast('The entry is saved')).toBeVisible()
    await expect(maintenance.entries.first()).toContainText('Sampled, all clear')
  })
})

test('shows due maintenance in overview, table, map and calendar', {
  tag: '@painted',
}, async ({ area, given, page, server }) => {
  const pump = { id: 'pump', name: 'Pump house', maintenancePlan: yearly, geometry: pointAt(900, 300) }
  const mapId = await given(
    [
      well,
      asset({ ...pump, lastMaintenance: dayIn(-350), maintenanceHistory: [done(-350, 'Inspected')] }),
      asset({ id: 'gate', name: 'Gate', geometry: pointAt(-900, 300) }),
    ],
    { name: 'Signpost POA' },
  )
  await area.openSection(mapId, 'map', 'administrator')
  const due = page.getByRole('region', { name: 'Due maintenance' })
  await expect(due.getByRole('listitem')).toHaveText([/Well 1 – Water sample ?Overdue/, /Pump house – .*Due/])
  await isAccessible(page)

  await due.getByRole('button', { name: 'Calendar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Calendar of due maintenance' })
  await dialog.getByRole('button', { name: 'Make an address' }).click()
  const address = await dialog.getByLabel('Address').inputValue()
  const feed = async () =>
    (await page.request.get(new URL(new URL(address).pathname, server.url).href)).text()
  expect(await feed()).toMatch(/SUMMARY:Water sample: Well 1|SUMMARY:Well 1: Water sample/)
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Switch the calendar off' }).click()
  await expect(dialog).toContainText('There is no address yet.')
  expect(await feed()).not.toContain('SUMMARY')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await due.getByRole('link', { name: 'Overdue: 1' }).click()
  const table = page.getByRole('grid')
  await expect(table.getByRole('row').filter({ hasText: 'Well 1' })).toBeVisible()
  await expect(page.getByText('1 feature', { exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Maintenance' })).toHaveValue('overdue')
  const { lat, lng } = placeAt(0, 0)
  await area.visit(`/config/map/${mapId}/features?kind=asset&due=overdue#14/${lat}/${lng}`)
  await area.canvas.isComplete()
  const places = [
    { name: 'Well 1', ...placeAt(0, 0) },
    { name: 'Pump house', ...placeAt(900, 300) },
    { name: 'Gate', ...placeAt(-900, 300) },
  ]
  await area.canvas.showsInkAt(places).toEqual(['Well 1'])
  await page.getByRole('combobox', { name: 'Maintenance' }).selectOption('Due within 30 days')
  await expect(table.getByRole('row').filter({ hasText: 'Pump house' })).toBeVisible()
  await expect(table.getByRole('row').filter({ hasText: 'Well 1' })).toBeHidden()
})
