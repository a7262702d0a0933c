import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { asset, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()

async function open(sendsMail: boolean) {
  const sent: unknown[] = []
  page.answer(/api\/settings/, async (ask) => Response.json({ ...(await (await ask()).json()), sendsMail }))
  page.answer(/\/notices\/preview$/, (_ask, _method, body) => {
    const { meters } = JSON.parse(String(body))
    return Response.json(meters === 0 ? { parcels: 0, people: 0 } : { parcels: 87, people: 61 })
  })
  page.answer(/\/notices$/, (_ask, _method, body) => {
    sent.push(JSON.parse(String(body)))
    return Response.json({ people: 61 }, { status: 202 })
  })
  await page.signIn()
  const mapId = await page.given([
    asset({ id: 'road', name: 'Main Road' }),
    parcel({ id: 'lot', name: 'Lot 7' }),
  ])
  await page.open(`/config/map/${mapId}/features?sort=name`)
  await page.press('checkbox', 'Select Main Road')
  await page.press('button', 'Actions')
  return sent
}

it('sends a notice around selected records, once the number of people is known', async () => {
  const sent = await open(true)
  await page.press('menuitem', 'Send a notice…')
  const form = within(await screen.findByRole('dialog', { name: 'Send a notice' }))
  const distance = form.getByLabelText<HTMLInputElement>('Distance around 1 asset, in feet')
  expect(distance.value).toBe('300')
  await form.findByText(/^87 parcels; 61 people will get it/)
  const button = await form.findByRole('button', { name: 'Send to 61 people' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await page.user.type(form.getByRole('textbox', { name: /Subject/ }), 'Closed')
  await page.user.type(form.getByRole('textbox', { name: /Message/ }), 'Until Friday')
  await page.user.clear(distance)
  await form.findByText(/^0 parcels; 0 people will get it/)
  await page.user.click(form.getByRole('button', { name: 'Send to 0 people' }))
  expect(sent).toEqual([])
  await page.user.type(distance, '500')
  await page.user.click(await form.findByRole('button', { name: 'Send to 61 people' }))
  await screen.findByText('Notice is on its way to 61 people.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toMatchObject([{ ids: ['road'], meters: 152, subject: 'Closed', message: 'Until Friday' }])
})

it('is not offered without a mail server', async () => {
  await open(false)
  await screen.findByRole('menuitem', { name: 'Export…' })
  expect(screen.queryByRole('menuitem', { name: 'Send a notice…' })).toBeNull()
})
