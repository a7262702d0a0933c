import { asset, pointAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

const signature = 'Grace Whitfield, by token "County sync"'

test('changes a record with a token, updates an open page, and names the token in the history', async ({
  area,
  given,
  page,
  request,
  server,
}) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well', geometry: pointAt(0, 0) })], {
    name: 'Token Creek POA',
  })
  await area.signInByHand('/config/map')
  await area.visit(`/config/map/${mapId}/map`)
  await area.sidebar.getByRole('link', { name: 'API tokens', exact: true }).click()
  await expect(page.getByText('You have made no token yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a token' })
  await dialog.getByRole('button', { name: 'Make token' }).click()
  await expect(dialog.getByText('Choose at least one map')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await isAccessible(page)
  await dialog.getByLabel('Name').fill('County sync')
  await dialog.getByLabel('Change features').check()
  const search = dialog.getByLabel('Search the clients')
  await dialog.getByRole('button', { name: 'Make token' }).click()
  await expect(search).toBeFocused()
  const requested = page.waitForRequest(
    (one) => new URL(one.url()).searchParams.get('text') === 'Token Creek',
  )
  await search.fill('Token Creek')
  await requested
  const found = dialog.getByRole('checkbox', { name: 'Token Creek POA' })
  await found.check()
  await expect(dialog.getByRole('checkbox', { name: 'All that are found' })).toBeChecked()
  await search.fill('Pine Ridge')
  await expect(dialog.getByRole('checkbox', { name: 'Pine Ridge POA' })).not.toBeChecked()
  await expect(found).toBeHidden()
  await search.fill('Nobody at all')
  await expect(dialog.getByText('Nothing is found.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Make token' }).click()

  const made = page.getByRole('dialog', { name: 'The token “County sync”' })
  const secret = await made.getByLabel('Token').inputValue()
  expect(secret).toMatch(/^poa_/)
  await isAccessible(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await made.getByRole('button', { name: 'Copy' }).click()
  await expect(made.getByRole('status')).toHaveText('Copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await made.getByRole('button', { name: 'Done' }).click()
  const tokens = page.getByRole('list', { name: 'API tokens' })
  await expect(tokens.getByRole('listitem')).toContainText('Never used')
  await expect(page.getByText(secret)).toBeHidden()
  await isAccessible(page)

  const records = new Records(page, server)
  await records.map.visit(`/map/${mapId}?select=a1`)
  await expect(records.map.fact('Status').first()).toHaveText('Operational')
  await records.timelineToggle.click()
  const patch = () =>
    request.patch(`${server.url}/ogc/${mapId}/collections/assets.points/items/a1`, {
      data: JSON.stringify({ properties: { status: 'offline' } }),
      headers: {
        authorization: `Basic ${Buffer.from(`token:${secret}`).toString('base64')}`,
        'content-type': 'application/merge-patch+json',
      },
    })
  expect((await patch()).status()).toBe(200)
  await expect(records.map.fact('Status').first()).toHaveText('Offline')
  await expect(records.timeline.getByRole('listitem').first()).toContainText(signature)

  await area.visit(`/config/map/${mapId}/map`)
  await expect(page.getByRole('region', { name: 'Last changes' })).toContainText(signature)
  await area.place('API Tokens').click()
  await expect(tokens.getByRole('listitem')).toContainText('Last used')
  await page.getByRole('button', { name: 'Revoke County sync' }).click()
  const warning = page.getByRole('dialog', { name: 'Revoke “County sync”?' })
  await isAccessible(page)
  await warning.getByRole('button', { name: 'Revoke' }).click()
  await expect(area.toast('The token “County sync” is revoked')).toBeVisible()
  await expect(page.getByText('No token reaches this map.')).toBeVisible()
  expect((await patch()).status()).toBe(401)
})
