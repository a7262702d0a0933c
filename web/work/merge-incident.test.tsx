import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incident, parcel, pointAt, squareAt } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()

it('merges an incident into one nearby, and undoes it from there', async () => {
  await page.signIn()
  const mapId = await page.given([
    incident({ id: 'leak', title: 'Leak', description: 'By the gate', assignee: 'Maya' }),
    incident({ id: 'flood', title: 'Flood' }),
  ])
  await page.open(`/map/${mapId}?select=leak`)
  await page.user.click(await screen.findByRole('button', { name: 'Merge' }))
  await screen.findByText(/It is assigned to Maya: assign the other incident as well/)
  await page.user.click(await screen.findByRole('button', { name: 'Merge into ‘Flood’' }))
  await page.alert('‘Leak’ merged into ‘Flood’')
  const notes = () => page.send('GET', `/api/maps/${mapId}/incidents/flood/notes`)
  expect(await notes()).toMatchObject({ merged: [{ id: 'leak' }], items: [{ text: 'By the gate' }] })

  await page.open(`/map/${mapId}?select=flood`)
  await page.user.click(await screen.findByRole('button', { name: 'Undo merge of ‘Leak’' }))
  await page.alert('Merge of ‘Leak’ undone')
  expect(await notes()).toMatchObject({ merged: [], items: [] })
  expect(await page.saved(mapId, 'leak')).toMatchObject({ title: 'Leak' })
})

it('finds incidents far away by type, parcel and distance, and announces how many there are', async () => {
  await page.signIn()
  const mapId = await page.given([
    incident({ id: 'leak', title: 'Leak' }),
    incident({ id: 'oak', title: 'Oak', type: 'fallen_tree', geometry: pointAt(5_000, 0), parcelId: 'lot' }),
    parcel({ id: 'lot', name: 'Lot 7', geometry: squareAt(4_950, -50, 100) }),
  ])
  await page.open(`/map/${mapId}?select=leak`)
  await page.user.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge ‘Leak’' }))
  await page.user.click(await dialog.findByRole('combobox', { name: 'Merge into' }))
  await screen.findByRole('option', { name: /^Oak \(Fallen tree, Lot 7, [\d.,]+ mi away\)$/ })
  await dialog.findByText('1 incident found')
  await page.user.keyboard('elm')
  await dialog.findByText('0 incidents found')
})
