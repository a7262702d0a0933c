import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import { preparePage } from '#test/page/page.tsx'
import { ReportPanel } from './report-panel.tsx'
import { keepReport, loadReports } from './waiting-reports.ts'

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
    const notice = await screen.findByText('Call 911 before you report a fire.')
    expect(document.activeElement).toBe(notice)
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
})
