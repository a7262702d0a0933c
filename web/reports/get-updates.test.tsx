import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { keyOfSubscription } from '#server/subscriptions/subscription-keys.ts'
import { insertSubscription, readSubscription } from '#server/subscriptions/subscriptions.queries.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { incident, parcel } from '#test/databases/test-map.ts'
import { sendsMail } from '#test/page/email.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()

const dialog = (name: string) => screen.findByRole('dialog', { name })

it('asks visitors for an address in the details of an incident, and says to confirm it', async () => {
  const sent = sendsMail(page)
  const mapId = await page.given([incident({ id: 'leak', title: 'Leak' })])
  await page.open(`/map/${mapId}?select=leak`)
  await page.user.click(await screen.findByRole('button', { name: 'Get updates' }))
  const form = within(await dialog('Get updates about ‘Leak’'))
  expect(form.queryByRole('group', { name: /Types/ })).toBeNull()
  await page.user.type(form.getByRole('textbox', { name: /email/ }), 'ann@example.org')
  await page.user.selectOptions(form.getByRole('combobox', { name: 'How often' }), 'Once a day')
  await page.user.click(form.getByRole('button', { name: 'Get updates' }))
  await form.findByText(/We sent an email to ann@example.org. Open the link in it to confirm/)
  expect(sent).toEqual([
    { email: 'ann@example.org', about: { topic: 'incident', id: 'leak' }, frequency: 'daily' },
  ])
})

it('offers a distance around a parcel, and types', async () => {
  const sent = sendsMail(page)
  const mapId = await page.given([parcel({ id: 'lot', name: 'Lot 7' })])
  await page.open(`/map/${mapId}?select=lot&tab=parcel`)
  await page.user.click(await screen.findByRole('button', { name: 'Get updates' }))
  const form = within(await dialog('Get updates about the area around Lot 7'))
  await page.user.type(form.getByRole('textbox', { name: /email/ }), 'ann@example.org')
  await page.user.selectOptions(form.getByRole('combobox', { name: /How far/ }), '1000')
  await page.user.selectOptions(form.getByRole('combobox', { name: 'About' }), 'New incidents only')
  await page.user.click(form.getByRole('checkbox', { name: 'Flood' }))
  await page.user.click(form.getByRole('button', { name: 'Get updates' }))
  await form.findByText(/We sent an email/)
  expect(sent).toMatchObject([
    {
      about: { topic: 'parcel', id: 'lot', radiusMeters: 1_000 },
      types: ['flood'],
      news: 'new',
      notices: true,
    },
  ])
})

it('is in the menu of the map, and shows why it failed', async () => {
  sendsMail(page)
  page.answer(/\/subscriptions$/, 429)
  const mapId = await page.given([])
  await page.open(`/map/${mapId}`)
  await page.user.click(await screen.findByRole('button', { name: 'More pages and settings' }))
  await page.user.click(await screen.findByRole('menuitem', { name: 'Get updates about this map' }))
  const form = within(await dialog('Get updates about this map'))
  await page.user.type(form.getByRole('textbox', { name: /email/ }), 'ann@example.org')
  await page.user.click(form.getByRole('button', { name: 'Get updates' }))
  await form.findByRole('alert')
})

it('is not offered without a mail server, nor to staff', async () => {
  const mapId = await page.given([incident({ id: 'leak', title: 'Leak' })])
  await page.open(`/map/${mapId}?select=leak`)
  await page.hasDetailsOf('Leak')
  expect(screen.queryByRole('button', { name: 'Get updates' })).toBeNull()
  sendsMail(page)
  await page.signIn()
  await page.open(`/map/${mapId}?select=leak`)
  await page.hasDetailsOf('Leak')
  await screen.findByRole('button', { name: 'Merge' })
  expect(screen.queryByRole('button', { name: 'Get updates' })).toBeNull()
})

it('confirms a subscription with a button only, changes and ends all of the address', async () => {
  const mapId = await page.given([parcel({ id: 'lot', name: 'Lot 7' })])
  const { database } = page.server
  const map = aSubscriptionRow({ map_id: mapId, id: 'one', confirmed_at: null })
  const lot = { topic: 'parcel', feature_id: 'lot', radius_meters: 300 } as const
  const around = aSubscriptionRow({ map_id: mapId, id: 'two', about_hash: 'lot', ...lot })
  await database.write(async (transaction) => {
    await insertSubscription(transaction, map)
    await insertSubscription(transaction, around)
  })
  const read = (id: string) => readSubscription(database.read, { mapId, id })
  await page.open(`/updates/${mapId}/one#${keyOfSubscription(map)}`)
  await screen.findByText(/^Confirm to get updates from .* at ann@example.org: The whole map/)
  expect((await read('one'))?.confirmed_at).toBeNull()
  await page.press('button', 'Confirm')
  await screen.findByText('Thank you. You get these updates from now on.')
  expect((await read('one'))?.confirmed_at).not.toBeNull()
  const item = within(screen.getByRole('region', { name: 'Within 300 m of Lot 7' }))
  await page.user.selectOptions(item.getByRole('combobox', { name: 'How often' }), 'Once a week')
  await waitFor(async () => expect((await read('two'))?.frequency).toBe('weekly'))
  await page.user.click(item.getByRole('checkbox', { name: 'Notices for this place' }))
  await waitFor(async () => expect((await read('two'))?.notices).toBe(1))
  await page.press('button', 'End: Within 300 m of Lot 7')
  expect((await read('two'))?.ended_at).toBeNull()
  await page.answerDialog('End these updates?', 'End')
  await waitFor(async () => expect((await read('two'))?.ended_at).not.toBeNull())
  await page.press('button', 'End: The whole map')
  await page.answerDialog('End these updates?', 'End')
  await screen.findByText(/ann@example.org gets no more of these updates/)
})

it('says that a link is not complete', async () => {
  const mapId = await page.given([])
  await page.open(`/updates/${mapId}/one#abc`)
  await screen.findByText(/There is no subscription at this link/)
})
