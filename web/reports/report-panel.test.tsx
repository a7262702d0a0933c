import { RouterContextProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultReportSettings, type ReportSettings, toReportForm } from '#domain/reports/report-settings.ts'
import { preparePage } from '#test/page/page.tsx'
import { checkConnection, isServerAway } from '#web/api/connection.ts'
import { newKey } from '#web/api/http.ts'
import { createPageRouter } from '#web/app/router.tsx'
import { ReportPanel } from './report-panel.tsx'
import { ReportsOnDevice } from './reports-on-device.tsx'
import { keepReport, loadReports, removeReport, sendAgain, useReportsOnDevice } from './waiting-reports.ts'

// There is no IndexedDB here.
vi.mock('./waiting-reports.ts', { spy: true })

const page = preparePage()
const { types } = defaultReportSettings
const nothing = () => {}

beforeEach(() => {
  vi.mocked(loadReports).mockResolvedValue()
  vi.mocked(keepReport).mockReset().mockResolvedValue()
})

async function open(settings: Partial<ReportSettings> = {}) {
  const mapId = await page.given([])
  await page.signIn()
  await page.send('PUT', `/api/maps/${mapId}/report-settings`, { ...defaultReportSettings, ...settings }, 0)
  page.signOut()
  const place = { lat: 34, lng: -111 }
  await page.show(
    <ReportPanel mapId={mapId} center={place} assetId={null} isPlaced onMove={nothing} onClose={nothing} />,
  )
}
async function openTypes(settings?: Partial<ReportSettings>) {
  await open(settings)
  await page.press('button', 'No photo')
}

describe('the form for a report', () => {
  it('has the focus on its heading when it opens', async () => {
    await open()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Report a problem' }))
  })

  it('offers the types of the association with its names, and sends the type', async () => {
    await openTypes({
      types: {
        ...types,
        flood: { ...types.flood, isOffered: false },
        other: { ...types.other, label: 'Broken gate' },
      },
    })
    await screen.findByRole('button', { name: 'Broken gate' })
    screen.getByRole('button', { name: 'Fallen tree' })
    expect(screen.queryByRole('button', { name: 'Flood' })).toBeNull()
    await page.press('button', 'Broken gate')
    await page.user.click(await screen.findByRole('button', { name: 'Send report' }))
    expect(vi.mocked(keepReport).mock.lastCall?.[0]).toMatchObject({
      title: 'Broken gate',
      report: { type: 'other' },
    })
  })

  it('goes on only after a notice that must be confirmed', async () => {
    await openTypes()
    await page.press('button', 'Fire')
    const number = await screen.findByRole('link', { name: '911' })
    expect(number.getAttribute('href')).toBe('tel:911')
    expect(document.activeElement?.textContent).toBe('Call 911 before you report a fire.')
    expect(screen.queryByRole('button', { name: 'Send report' })).toBeNull()
    await page.press('button', 'Back')
    await page.press('button', 'Fire')
    await page.press('button', 'I have read this')
    await screen.findByRole('button', { name: 'Send report' })
  })

  it('shows other notices beside the description', async () => {
    await openTypes({ types: { ...types, flood: { ...types.flood, notice: 'Stay away from the wash.' } } })
    await page.press('button', 'Flood')
    await screen.findByRole('button', { name: 'Send report' })
    screen.getByText('Stay away from the wash.')
  })

  it('shows the photo in the next steps', async () => {
    await open()
    const input = await screen.findByLabelText('Photos of the problem')
    await page.user.upload(input, new File(['photo'], 'wash.jpg', { type: 'image/jpeg' }))
    for (const step of ['Flood', 'Send report']) {
      const button = await screen.findByRole('button', { name: step })
      expect(screen.getByAltText<HTMLImageElement>('Added to this report').src).toMatch(/^blob:/)
      await page.user.click(button)
    }
    expect(screen.queryByAltText('Added to this report')).toBeNull()
  })

  it('says when the report becomes public', async () => {
    await open({ publication: 'immediate' })
    await screen.findByText(/appears on the public map at once/)
    // There is no mail server here, so no address can be confirmed.
    await open({ publication: 'confirmed' })
    await screen.findByText(/review your report before it appears/)
  })

  it('offers all types if the settings cannot be loaded', async () => {
    page.answer(/report-form/, 503)
    await openTypes({ types: { ...types, flood: { ...types.flood, isOffered: false } } })
    await screen.findByRole('button', { name: 'Flood' })
  })

  it('does not take an offline copy of the settings as a sign of a connection', async () => {
    const headers = { 'copied-at': 'Sun, 29 Nov 2026 18:24:00 GMT' }
    const copy = { ...toReportForm(defaultReportSettings, false), publication: 'immediate' }
    page.answer(/./, () => Promise.reject(new TypeError('Failed to fetch')))
    page.answer(/report-form/, () => Response.json(copy, { headers }))
    await checkConnection()
    await open()
    await screen.findByText(/appears on the public map at once/)
    expect(isServerAway()).toBe(true)
  })

  it('sends a field that only programs fill, and the seconds since the form was opened', async () => {
    await openTypes()
    await page.press('button', 'Flood')
    const trap = await screen.findByLabelText('Leave this field empty')
    expect(trap.tabIndex).toBe(-1)
    await page.user.type(trap, 'spam')
    await page.user.click(screen.getByRole('button', { name: 'Send report' }))
    const sent = vi.mocked(keepReport).mock.lastCall?.[0]
    expect(sent).toMatchObject({ website: 'spam', secondsOnForm: expect.any(Number) })
  })

  it('says that reports with links are reviewed where others are public at once', async () => {
    await openTypes({ publication: 'immediate' })
    await page.press('button', 'Flood')
    await page.user.type(await screen.findByLabelText(/^Description/), 'www.pumps.example')
    await screen.findByText(/^Staff review reports with links/)
  })

  it('lists sent reports with their current state and the day', async () => {
    const mapId = await page.given([])
    const [id, key] = ['b'.repeat(32), 'ab'.repeat(16)]
    const [place, title, madeAt] = [{ lat: 34, lng: -111 }, 'Flood', Date.UTC(2026, 2, 3, 19)]
    await page.send('POST', `/api/maps/${mapId}/reports`, { id, key, type: 'flood', place })
    const report = { ...emptyReport, id, key, place }
    const sent = { mapId, id, key, madeAt, number: 1, title, photos: [], problem: null, report }
    vi.mocked(useReportsOnDevice).mockReturnValue([sent])
    await page.signIn()
    await page.send('PUT', `/api/maps/${mapId}/reports/${id}/decision`, { state: 'rejected' }, 1)
    page.signOut()
    await page.show(
      <RouterContextProvider router={createPageRouter()}>
        <ReportsOnDevice mapId={mapId} />
      </RouterContextProvider>,
    )
    await screen.findByText('R-1: The association did not put it on the map. Made Mar 3, 2026.')
    vi.mocked(useReportsOnDevice).mockReset()
  })

  it('says that a report beyond the limit is sent later', async () => {
    const [id, key, title] = [newKey(), newKey(), 'Flood']
    const report = { ...emptyReport, id, key, place: { lat: 34, lng: -111 } }
    const waiting = { mapId: 'x', id, key, madeAt: 0, number: null, title, photos: [], problem: null, report }
    const pause = 'You can send more in 51 minutes.'
    vi.mocked(useReportsOnDevice).mockReturnValue([{ ...waiting, pause }])
    await page.show(<ReportsOnDevice mapId="x" />)
    await screen.findByText(/in 51 minutes\. It is sent automatically while this page is open/)
    vi.mocked(useReportsOnDevice).mockReset()
  })

  it('offers to send a refused report again, or to remove it', async () => {
    const [id, key] = [newKey(), newKey()]
    const place = { lat: 34, lng: -111 }
    const report = { ...emptyReport, id, key, place }
    const refused = { mapId: 'x', id, key, madeAt: 0, number: null, title: 'Flood', photos: [], report }
    vi.mocked(useReportsOnDevice).mockReturnValue([{ ...refused, problem: 'Sent too fast.' }])
    vi.mocked(sendAgain).mockResolvedValue()
    vi.mocked(removeReport).mockResolvedValue()
    await page.show(<ReportsOnDevice mapId="x" />)
    await screen.findByText(/Sent too fast\./)
    await page.press('button', 'Send again: ‘Flood’')
    expect(sendAgain).toHaveBeenCalledWith(id)
    await page.press('button', 'Remove: ‘Flood’')
    expect(removeReport).toHaveBeenCalledWith(id)
    vi.mocked(useReportsOnDevice).mockReset()
  })
})

const emptyReport = {
  type: 'flood',
  accuracyMeters: null,
  description: '',
  email: null,
  assetId: null,
  sameAs: null,
} as const
