import { startReceiver } from '#test/webhook-receiver.ts'
import { asset, pointAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.use({ expectedComplaint: /400 \(Bad Request\)/ })

test('adds a webhook, shows its secret once, lists and repeats deliveries, and removes it', async ({
  area,
  given,
  page,
}) => {
  using receiver = await startReceiver()
  const mapId = await given([asset({ id: 'well', name: 'Old well', geometry: pointAt(0, 0) })])
  await area.signInTo(`/config/map/${mapId}/webhooks`)
  await expect(area.place('Webhooks')).toHaveAttribute('aria-current', 'page')
  await area.button('Add a webhook').click()
  const dialog = page.getByRole('dialog')
  const address = dialog.getByRole('textbox', { name: 'Address' })
  await address.fill('https://169.254.169.254/latest')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(address).toHaveAccessibleDescription(/leads into a private network/)
  await isAccessible(page)
  await address.fill(`${receiver.url}/hook`)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('County records')
  await dialog.getByRole('checkbox', { name: 'Incidents' }).uncheck()
  await dialog.getByRole('button', { name: 'Add' }).click()
  const secret = dialog.getByRole('textbox', { name: 'Secret' })
  await expect(secret).toHaveValue(/^whsec_/)
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('button', { name: /County records/ })
  await expect(row).toContainText('nothing sent yet')
  await row.click()
  await area.button('Send a test').click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  const [first, second] = [deliveries.getByRole('row').nth(1), deliveries.getByRole('row').nth(2)]
  await expect(first).toContainText('Delivered')
  expect(receiver.messages()).toMatchObject([{ type: 'test', data: { mapId } }])

  receiver.answerStatus(410)
  await page.request.put(`/api/maps/${mapId}/features/well/status`, {
    headers: { 'if-match': '*', 'sec-fetch-site': 'same-origin' },
    data: { status: 'offline' },
  })
  await expect(first).toContainText('Answered 410')
  await expect(second).toContainText('Test')
  await expect(
    page.getByRole('status').filter({ hasText: 'The receiver answered that it is gone' }),
  ).toBeVisible()
  await isAccessible(page)
  await area.button('All webhooks').click()
  await expect(row).toContainText('Switched off, as it failed')
  await row.click()

  receiver.answerStatus(204)
  await expect(area.button('Send a test')).toBeDisabled()
  await area.button('Switch on').click()
  await first.getByRole('button', { name: /^Repeat/ }).click()
  await expect(first).toContainText('Delivered')
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(ids[2]).toBe(ids[1])

  await area.button('New secret').click()
  await dialog.getByRole('radio', { name: 'Ends at once' }).check()
  await area.button('Make a new secret').click()
  await expect(secret).toHaveValue(/^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await area.button('Remove').click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(area.toast('The webhook is removed')).toBeVisible()
  await expect(row).toHaveCount(0)
})
