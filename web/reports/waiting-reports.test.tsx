import { RouterContextProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { preparePage } from '#test/page/page.tsx'
import { createPageRouter } from '#web/app/router.tsx'
import { ReportPanel } from './report-panel.tsx'

const page = preparePage()

// There is no IndexedDB here.
it('sends a report from a browser that can store nothing, and says so while it waits', async () => {
  const mapId = await page.given([])
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const place = { lat: 34, lng: -111 }
  await page.show(
    <RouterContextProvider router={createPageRouter()}>
      <ReportPanel
        mapId={mapId}
        center={place}
        assetId={null}
        isPlaced
        onMove={() => {}}
        onClose={() => {}}
      />
    </RouterContextProvider>,
  )
  await page.press('button', 'No photo')
  await page.press('button', 'Flood')
  await page.setOffline(true)
  // The server takes a form that was filled within three seconds for spam.
  vi.setSystemTime(Date.now() + 10_000)
  await page.press('button', 'Send report')
  await screen.findByText(/This browser cannot store it: keep this page open/)
  await page.setOffline(false)
  await screen.findByText(/Report R-1 was sent/)
  await page.signIn()
  expect(await page.send('GET', `/api/maps/${mapId}/reports?state=new`)).toMatchObject({ total: 1 })
})
