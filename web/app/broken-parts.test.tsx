import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { applyConfiguration, asset, parcel, tellOfConfiguration } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const features = [asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1', name: 'Lot 1' })]
const breaks = () => page.expectComplaint(/TypeError|RangeError/)

const without = (field: string) => async (ask: () => Promise<Response>) =>
  Response.json(JSON.parse(await (await ask()).text(), (key, value) => (key === field ? undefined : value)))

describe('when a part of the page breaks', () => {
  it('the list and other details work after the details broke', async () => {
    breaks()
    page.answer(/features\/a1$/, without('maintenanceHistory'))
    await page.open(`/map/${await page.given(features)}?tab=asset`)
    await page.user.click(await page.row('Old well'))
    const { alert, button } = await page.alert('The details could not be shown.')
    expect(button('Reload')).toBeTruthy()
    await page.press('tab', /Parcels/)
    await page.user.click(await page.row('Lot 1'))
    await page.hasDetailsOf('Lot 1')
    expect(alert.isConnected).toBe(false)
  })

  it('the rest of the page works after the list broke', async () => {
    breaks()
    page.answer(/features\?.*kind=asset/, without('date'))
    await page.open(`/map/${await page.given(features)}?tab=asset&select=p1`)
    const { alert } = await page.alert('The list could not be shown.')
    expect(alert.textContent).toContain('The rest of the page still works.')
    await page.hasDetailsOf('Lot 1')
  })

  it('a broken screen opens after a retry', async () => {
    breaks()
    const mapId = await page.given(features)
    await applyConfiguration(page.server.database, mapId, {})
    page.answer(/\/configuration$/, without('configuration'))
    await page.open(`/map/${mapId}?tab=asset`)
    const { alert, button } = await page.alert('The map could not be shown.')
    expect(alert.textContent).toContain('Something went wrong. Your saved data is not affected.')
    expect(button('Reload')).toBeTruthy()
    page.answerAgain()
    await page.client.invalidateQueries()
    await page.press('button', 'Try again')
    await page.row('Old well')
  })

  it('the sidebar leaves a broken section of the configuration', async () => {
    breaks()
    await page.signIn()
    const mapId = await page.given(features)
    page.answer(new RegExp(`maps/${mapId}$`), without('counts'))
    await page.open(`/config/map/${mapId}/map`)
    await page.alert('This section could not be shown.')
    await page.press('link', 'Map Features')
    await screen.findByRole('grid', { name: 'Features' })
  })

  it('the sidebar works beside a broken page of the configuration', async () => {
    breaks()
    await page.signIn()
    page.answer(/\/api\/clients\?/, without('archivedAt'))
    await page.given(features)
    await page.open('/config/map')
    const { alert } = await page.alert('This page could not be shown.')
    expect(alert.textContent).toContain('Something went wrong.')
    const notifications = screen.getByRole('tab', { name: /^Notifications/ })
    await page.user.click(notifications)
    expect(notifications.getAttribute('aria-selected')).toBe('true')
  })

  it('the frame around every page shows the error, and offers no reload without a connection', async () => {
    breaks()
    await page.open(`/map/${await page.given(features)}?tab=asset`)
    await page.row('Old well')
    const broken = vi.spyOn(Date.prototype, 'toISOString').mockImplementation(() => {
      throw new RangeError('as in a browser that lacks it')
    })
    await page.setOffline(true)
    const { alert } = await page.alert('The page could not be shown.')
    const buttons = () =>
      within(alert)
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
    expect(buttons()).toEqual(['Try again'])
    await page.setOffline(false)
    expect(buttons()).toEqual(['Try again', 'Reload'])
    broken.mockRestore()
    await page.press('button', 'Try again')
    await page.row('Old well')
  })

  it('a broken dialog can be closed and retried, and the page behind it works', async () => {
    breaks()
    await page.signIn()
    const mapId = await page.given(features, { name: 'Broken Dialog POA', location: 'Globe, AZ' })
    page.answer(/\/api\/clients\?/, without('location'))
    await page.open('/config/map?text=broken+dialog')
    const openForm = async () => {
      await page.press('button', 'More actions for Broken Dialog POA')
      await page.user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    }
    await openForm()
    const { alert, click } = await page.alert('This dialog could not be shown.')
    expect(alert.textContent).toContain('The rest of the page still works.')
    await click('Close')
    await waitFor(() => expect(alert.isConnected).toBe(false))
    await openForm()
    const again = await page.alert('This dialog could not be shown.')
    page.answerAgain()
    await tellOfConfiguration(page.server.database, mapId)
    await page.server.changes.poll()
    await screen.findByText('Globe, AZ')
    await again.click('Try again')
    expect(await screen.findByDisplayValue('Globe, AZ')).toBeTruthy()
  })
})
