import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { maxAreaPositions } from '#domain/subscriptions/subscriptions.ts'
import { sendsMail } from '#test/page/email.ts'
import { InMap } from '#test/page/in-map.tsx'
import { preparePage } from '#test/page/page.tsx'
import { StubMap } from '#test/page/stub-map.ts'
import { areaTool } from '#web/tools/selecting/area-tool.tsx'
import { SubscribeDialog } from './get-updates.tsx'

const page = preparePage()
const named = { name: 'Get updates about this map' }

async function open() {
  const sent = sendsMail(page)
  const mapId = await page.given([])
  const map = new StubMap({ lng: -111, lat: 34, zoom: 15 })
  map.getContainer().setPointerCapture = () => {}
  await page.show(
    <InMap map={map}>
      <SubscribeDialog mapId={mapId} about={{ topic: 'map' }} name="this map" onClose={vi.fn()} />
      <areaTool.Part mapId={mapId} configuration={{} as never} />
    </InMap>,
  )
  const form = async () => within(await screen.findByRole('dialog', named))
  await page.user.type((await form()).getByRole('textbox', { name: /email/ }), 'ann@example.org')
  return {
    map,
    form,
    choose: async (place: string) =>
      page.user.selectOptions((await form()).getByRole('combobox', { name: 'Where' }), place),
    async ring(): Promise<Position[]> {
      const send = (await form()).getByRole<HTMLButtonElement>('button', { name: 'Get updates' })
      await waitFor(() => expect(send.disabled).toBe(false))
      await page.user.click(send)
      await (await form()).findByText(/We sent an email/)
      const [{ about }] = sent as [{ about: { topic: string; area: { coordinates: Position[][] } } }]
      expect(about.topic).toBe('area')
      return about.area.coordinates[0] ?? []
    },
    async draw(places: readonly (readonly [x: number, y: number])[]) {
      const point = (type: string, [clientX, clientY]: readonly [number, number]) =>
        act(async () => {
          const init = { clientX, clientY, button: 0, pointerId: 1 }
          map.getContainer().dispatchEvent(new PointerEvent(type, init))
        })
      const [first = [0, 0], ...others] = places
      await point('pointerdown', first)
      for (const place of others) await point('pointermove', place)
      await point('pointerup', others.at(-1) ?? first)
    },
  }
}

it('follows the part of the map in view', async () => {
  const { choose, map, ring } = await open()
  await choose('The part of the map in view')
  const positions = await ring()
  const view = map.getBounds()
  expect(positions).toHaveLength(5)
  expect(positions.slice(0, 3)).toEqual([
    [view.getWest(), view.getSouth()],
    [view.getEast(), view.getSouth()],
    [view.getEast(), view.getNorth()],
  ])
  expect(positions.at(-1)).toEqual(positions[0])
})

it('follows an area that is drawn on the map, which must not cross itself', async () => {
  const { choose, draw, form, ring } = await open()
  await choose('An area that I draw')
  await screen.findByText('Draw around the area on the map.')
  await waitFor(() => expect(screen.queryByRole('dialog', named)).toBeNull())
  await draw([
    [100, 100],
    [200, 200],
    [200, 100],
    [100, 200],
  ])
  await screen.findByText('The outline crosses itself. Draw it again.')
  const around = Array.from({ length: 2 * maxAreaPositions }, (_, index) => {
    const angle = (index / maxAreaPositions) * Math.PI
    return [300 + 250 * Math.cos(angle), 300 + 250 * Math.sin(angle)] as const
  })
  await draw(around)
  expect((await form()).getByRole<HTMLInputElement>('textbox', { name: /email/ }).value).toBe(
    'ann@example.org',
  )
  ;(await form()).getByRole('button', { name: 'Draw it again' })
  const positions = await ring()
  expect(positions.length).toBeGreaterThan(50)
  expect(positions.length).toBeLessThanOrEqual(maxAreaPositions)
  expect(positions.at(-1)).toEqual(positions[0])
})

it('follows the whole map if drawing is canceled', async () => {
  const { choose, form } = await open()
  await choose('An area that I draw')
  await page.user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect((await form()).getByRole<HTMLSelectElement>('combobox', { name: 'Where' }).value).toBe('map')
})
