import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incident } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { exactTime } from '#web/ui/relative-time.ts'

const page = preparePage()

it('names the note on each of its buttons, after their text', async () => {
  await page.signIn()
  const mapId = await page.given([incident({ id: 'leak', title: 'Leak' })])
  const { version } = await page.saved(mapId, 'leak')
  await page.send(
    'POST',
    `/api/maps/${mapId}/incidents/leak/work`,
    { id: 'step', publicNote: 'Fixed soon' },
    version,
  )
  await page.open(`/map/${mapId}?select=leak`)
  const notes = within(await screen.findByRole('list', { name: 'Notes' }))
  const { items } = await page.send('GET', `/api/maps/${mapId}/incidents/leak/notes`)
  const of = `note of ${exactTime(items[0].at)}`
  notes.getByRole('button', { name: `Edit: ${of}` })
  await page.user.click(notes.getByRole('button', { name: `Hide from public: ${of}` }))
  await notes.findByRole('button', { name: `Make public: ${of}` })
})

it('focuses the details after a link of the list of work, and leaves the focus in other lists', async () => {
  await page.signIn()
  const mapId = await page.given([incident({ id: 'leak', title: 'Leak' })])
  await page.open(`/config/map/${mapId}/work`)
  ;(await screen.findByRole('link', { name: /^Leak/ })).focus()
  await page.user.keyboard('{Enter}')
  await page.hasDetailsOf('Leak')
  await waitFor(() => expect(document.activeElement).toBe(page.details()))

  await page.open(`/map/${mapId}`)
  const row = await page.row('Leak')
  const list = row.closest<HTMLElement>('[role=listbox]')
  list?.focus()
  await page.user.keyboard('{Enter}')
  await page.hasDetailsOf('Leak')
  expect(document.activeElement).toBe(list)
  within(page.details()).getByRole('button', { name: 'Close details' }).focus()
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(list))
})
