import { randomUUID } from 'node:crypto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incident } from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { preparePage } from '#test/page/page.tsx'
import { signIn } from '#test/server/signed-in.ts'

const page = preparePage()

it('blacks out areas that were added and moved by keyboard, and restores the original', async () => {
  await page.signIn()
  const mapId = await page.given([incident({ id: 'fire', title: 'Fire' })])
  const bytes = await aPhoto()
  const id = randomUUID()
  const files = `/api/maps/${mapId}/features/fire/files`
  await page.send('POST', `/api/maps/${mapId}/uploads`, {
    id,
    featureId: 'fire',
    name: 'face.jpg',
    size: bytes.length,
  })
  await page.server.send({
    method: 'PUT',
    url: `/api/maps/${mapId}/uploads/${id}?offset=0`,
    headers: { ...(await signIn(page.server.database)), 'content-type': 'application/octet-stream' },
    payload: Buffer.from(bytes),
  })
  await page.open(`/map/${mapId}?select=fire`)
  await page.user.click(await screen.findByRole('button', { name: 'face.jpg, 1 of 1' }))
  await page.user.click(await screen.findByRole('button', { name: 'Black out areas' }))
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Black out' })
  expect(send.disabled).toBe(true)

  await page.user.click(screen.getByRole('button', { name: 'Add area' }))
  const area = await screen.findByRole('button', { name: /^Black area 1: 20 by 20 percent, 40 percent/ })
  fireEvent.keyDown(area, { key: 'ArrowLeft' })
  await screen.findByRole('button', { name: /^Black area 1: 20 by 20 percent, 39 percent/ })
  await page.user.click(send)
  const done = await page.alert('redacted')
  const list = () => page.send('GET', files)
  expect(await list()).toMatchObject({ items: [{ isRedacted: true }], removed: [{ id }] })
  await done.click('Undo')
  await waitFor(async () => expect(await list()).toMatchObject({ items: [{ id, isRedacted: false }] }))
})
