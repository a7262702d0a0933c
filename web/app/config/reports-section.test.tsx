import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { preparePage } from '#test/page/page.tsx'
import { aReport } from '#test/server/reports.ts'

const page = preparePage()

async function openReports() {
  await page.signIn()
  const mapId = await page.given([])
  await page.send('POST', `/api/maps/${mapId}/reports`, aReport())
  await page.open(`/config/map/${mapId}/reports`)
  await screen.findByRole('button', { name: 'Hide (H)' })
}

it('undoes the newest decision on reports with Ctrl+Z, or with F6 and Enter', async () => {
  await openReports()
  await page.user.keyboard('h')
  await page.alert('R-1 hidden')
  await page.user.keyboard('{Control>}z{/Control}')
  await page.alert('R-1 waits for review again')
  await page.user.keyboard('h')
  const { button } = await page.alert('R-1 hidden')
  // The map cannot be drawn here.
  document.body.append(
    Object.assign(document.createElement('canvas'), { className: 'maplibregl-canvas', tabIndex: 0 }),
  )
  ;(document.activeElement as HTMLElement).blur()
  fireEvent.keyDown(document.body, { key: 'F6' })
  expect(document.activeElement).toBe(button('Undo'))
})

it('lists the shortcuts of reports', async () => {
  await openReports()
  await page.user.keyboard('?')
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const text of ['AAccept', 'RReject', 'HHide', 'JKSelect']) expect(help.textContent).toContain(text)
  expect(help.textContent).not.toContain('In Map Features')
})
