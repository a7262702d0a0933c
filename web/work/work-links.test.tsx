import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incident } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()

it('says that a contractor already has a link', async () => {
  await page.signIn()
  const mapId = await page.given([incident({ id: 'leak', title: 'Leak' })])
  const url = `/api/maps/${mapId}/incidents/leak/work-links`
  await page.send('POST', url, { id: 'first', name: 'Plumbers' })
  await page.open(`/map/${mapId}?select=leak`)
  await page.user.click(await screen.findByRole('button', { name: 'Contractor links' }))
  const form = within(await screen.findByRole('form', { name: 'New contractor link' }))
  await page.user.type(form.getByRole('textbox', { name: 'Contractor' }), 'Plumbers')
  await page.user.click(form.getByRole('button', { name: 'Create link' }))
  await form.findByText(/‘Plumbers’ has a link to this incident/)
  expect(await page.send('GET', url)).toMatchObject({ items: [{ id: 'first' }] })
})
