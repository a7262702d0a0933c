import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incident } from '#test/databases/test-map.ts'
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
  await page.user.click(await screen.findByRole('button', { name: 'Undo the merge of ‘Leak’' }))
  await page.alert('Merge of ‘Leak’ undone')
  expect(await notes()).toMatchObject({ merged: [], items: [] })
  expect(await page.saved(mapId, 'leak')).toMatchObject({ title: 'Leak' })
})
