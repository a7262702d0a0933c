import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asset } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { calendarDay } from '#web/ui/relative-time.ts'

const page = preparePage()
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const done = (days: number, description: string) => ({ date: dayIn(days), description })
const plan = { task: 'Water sample', everyMonths: 3, month: null, firstDue: null }
const well = asset({
  id: 'well',
  name: 'Well 1',
  maintenancePlan: plan,
  lastMaintenance: dayIn(-150),
  maintenanceHistory: [done(-150, 'Sampled'), done(-300, 'Sampled before')],
})
const section = () => within(screen.getByRole('region', { name: 'Maintenance' }))
const entries = () =>
  within(section().getByRole('list', { name: 'Maintenance entries' })).getAllByRole('listitem')
const hasEntries = (count: number) => waitFor(() => expect(entries()).toHaveLength(count))
const says = (text: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('region', { name: 'Maintenance' }).textContent).toMatch(text))
const dialog = async () => within(await screen.findByRole('dialog'))
const field = async (label: string) =>
  (await dialog()).getByLabelText<HTMLInputElement>(new RegExp(`^${label}(\\s*\\*)?\\s*$`))
async function fill(texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts)) await page.fill(await field(label), text)
}
const press = async (name: string | RegExp) => page.user.click((await dialog()).getByRole('button', { name }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

async function open() {
  await page.signIn()
  const mapId = await page.given([well])
  await page.open(`/map/${mapId}?select=well`)
  await screen.findByRole('region', { name: 'Maintenance' })
  return mapId
}

describe('maintenance of an asset', () => {
  it('is due by its plan, until it is done', async () => {
    await open()
    await says(/Plan: Water sample, every 3 months/)
    await says(/Overdue since /)
    await page.press('button', 'Mark done today')
    await hasEntries(3)
    await says(/Next due /)
    await page.undo('‘Water sample’ marked done')
    await hasEntries(2)
    await says(/Overdue since /)
  })

  it('has a plan that its form says in words, with the first due day or the fields that it lacks', async () => {
    await open()
    await page.press('button', 'Edit Well 1')
    const form = within(await screen.findByRole('form', { name: /^Edit / }))
    const fill = (label: string, text: string) =>
      page.fill(form.getByLabelText(new RegExp(`^${label}`)), text)
    form.getByText('Water sample, every 3 months. Enter ‘First due’ or ‘Installed’ to see when it is due.')
    await fill('Installed', '2030-01-31')
    form.getByText('Water sample, every 3 months, first due Apr 30, 2030.')
    await fill('First due', '2030-03-05')
    await fill('Repeat every', '')
    form.getByText('Water sample, first due Mar 5, 2030. It does not repeat.')
  })

  it('is a log of entries, of which visitors see day and text', async () => {
    const mapId = await open()
    await page.press('button', 'Add entry')
    await fill({ 'Work done': ' ', 'Done by': 'Ridge Wells', Cost: 'much', Hours: '3.5' })
    await press('Add')
    await (await dialog()).findByText('Must not be empty')
    ;(await dialog()).getByText(/Must be a number/)
    await fill({ 'Work done': 'Pump replaced', Cost: '1,250.5', 'Done on': dayIn(9) })
    await page.user.keyboard('{Control>}s{/Control}')
    await (await dialog()).findByText(/Must not be in the future/)
    await fill({ 'Done on': dayIn(-2) })
    await page.user.keyboard('{Escape}')
    await isClosed()
    await page.press('button', 'Continue entry')
    expect((await field('Done by')).value).toBe('Ridge Wells')
    await press('Add')
    await isClosed()
    const named = calendarDay(dayIn(-2))
    await waitFor(() =>
      expect(entries()[0]?.textContent).toBe(`${named} Pump replacedRidge Wells · $1,250.50 · 3.5 h`),
    )

    await page.press('button', `Edit entry of ${named}`)
    await fill({ Cost: '900', 'Next due': dayIn(20) })
    await page.user.clear(await field('Hours'))
    await press('Save')
    await isClosed()
    await waitFor(() => expect(entries()[0]?.textContent).toContain('Ridge Wells · $900 · next due'))
    await says(`Due ${calendarDay(dayIn(20))}`)

    await page.press('button', `Remove entry of ${named}`)
    await hasEntries(2)
    await page.undo('Entry removed')
    await hasEntries(3)
    await page.press('button', 'Timeline')
    await screen.findAllByText(/Pump replaced · Ridge Wells · \$900/)

    page.signOut()
    await page.open(`/map/${mapId}?select=well`)
    await page.hasFact('Maintenance history', new RegExp(`${named}: Pump replaced`))
    expect(page.details().textContent).not.toMatch(/Ridge Wells|900|Water sample/)
  })

  it('asks if another user changed the same entry', async () => {
    const mapId = await open()
    await page.press('button', `Edit entry of ${calendarDay(dayIn(-150))}`)
    await fill({ 'Work done': 'Sampled, all clear' })
    const log = `/api/maps/${mapId}/features/well/maintenance`
    const [{ id, version }] = (await page.send('GET', log)).items
    await page.send('PATCH', `${log}/${id}`, { text: 'Sampled by the county' }, version)
    await press('Save')
    await page.alert('Sampled by the county')
    await press('Keep mine')
    await page.alert('Entry saved')
    await waitFor(() => expect(entries()[0]?.textContent).toContain('Sampled, all clear'))
  })

  it('is listed in the overview when it is due, and in a calendar with an address', async () => {
    await page.signIn()
    const pump = {
      id: 'pump',
      name: 'Pump house',
      maintenancePlan: { ...plan, task: 'Inspection', everyMonths: 12 },
    }
    const mapId = await page.given([
      well,
      asset({ ...pump, lastMaintenance: dayIn(-350), maintenanceHistory: [done(-350, 'Inspected')] }),
      asset({ id: 'gate', name: 'Gate' }),
    ])
    await page.open(`/config/map/${mapId}/map`)
    const due = () => within(screen.getByRole('region', { name: 'Due maintenance' }))
    await waitFor(() =>
      expect(
        due()
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual([
        expect.stringMatching(/Well 1 – Water sample ?Overdue/),
        expect.stringMatching(/Pump house – .*Due/),
      ]),
    )
    await page.user.click(due().getByRole('button', { name: 'Calendar' }))
    await press('Create address')
    const address = (await (await dialog()).findByLabelText<HTMLInputElement>('Calendar address')).value
    const feed = async () => (await page.server.get(new URL(address).pathname)).body
    expect(await feed()).toMatch(/SUMMARY:(Water sample: Well 1|Well 1: Water sample)/)
    await press('Turn off calendar')
    await (await dialog()).findByText('No address yet')
    expect(await feed()).not.toContain('SUMMARY')
    await press('Close')
    await page.user.click(due().getByRole('link', { name: 'Overdue: 1' }))
    await screen.findByText('1 feature')
    expect(page.search()).toMatchObject({ due: 'overdue' })
    await page.filterTable('Maintenance', 'Due within 30 days')
    await screen.findByText('Pump house')
    await waitFor(() => expect(screen.queryByText('Well 1')).toBeNull())
  })
})
