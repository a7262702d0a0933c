import { randomUUID } from 'node:crypto'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { preparePage } from '#test/page/page.tsx'
import { newKey } from '#web/api/http.ts'
import { ownPhotos } from '#web/api/reports.api.ts'
import { createUploads } from '#web/api/uploads.ts'

const page = preparePage()

it('names the page, leads to the map before a review, and asks before it erases the address', async () => {
  const mapId = await page.given([])
  const own = { id: randomUUID(), key: newKey() }
  const report = { ...own, type: 'flood', place: { lat: 34, lng: -111 }, email: 'ann@example.org' }
  await page.send('POST', `/api/maps/${mapId}/reports`, report)
  await page.open(`/report/${mapId}/${own.id}#${own.key}`)
  const link = await screen.findByRole('link', { name: 'Open the map' })
  expect(link.getAttribute('href')).toBe(`/map/${mapId}`)
  expect(document.title).toBe('Your report – POA Land Management')
  await page.press('button', 'End emails and erase the address')
  await page.answerDialog('End emails about this report?', 'Cancel')
  screen.getByText(/is sent to ann@example.org/)
  await page.press('button', 'End emails and erase the address')
  await page.answerDialog('End emails about this report?', 'End emails')
  await waitFor(() => expect(screen.queryByText(/is sent to ann@example.org/)).toBeNull())
})

it('shows photos to the holder of the key, small in the list and large when opened', async () => {
  const mapId = await page.given([])
  const own = { mapId, id: randomUUID(), key: newKey() }
  const { mapId: _, ...report } = { ...own, type: 'flood', place: { lat: 34, lng: -111 } }
  await page.send('POST', `/api/maps/${mapId}/reports`, report)
  const uploads = createUploads()
  uploads.add({ id: own.id, size: 0, sent: 0, state: 'waiting', reason: '' })
  for (const color of ['#a53', '#283']) {
    const file = new Blob([new Uint8Array(await aPhoto({ color }))])
    await uploads.sendPhoto(own.id, { id: randomUUID(), file }, ownPhotos(own))
  }
  page.requests.length = 0
  await page.open(`/report/${mapId}/${own.id}#${own.key}`)
  const list = await screen.findByRole('list', { name: 'Photos' })
  await waitFor(() => expect(list.querySelectorAll('img[src^="blob:"]')).toHaveLength(2))
  const fetched = (version: string) => page.requests.filter((request) => request.endsWith(version))
  expect(fetched('/small')).toHaveLength(2)
  expect(fetched('/large')).toEqual([])

  await page.user.click(within(list).getByRole('button', { name: 'Photo 2' }))
  const large = await screen.findByAltText<HTMLImageElement>('Photo 2')
  expect(large.src).toMatch(/^blob:/)
  expect(fetched('/large')).toHaveLength(1)
  await page.press('button', 'Close')
  await waitFor(() => expect(screen.queryByAltText('Photo 2')).toBeNull())
})
