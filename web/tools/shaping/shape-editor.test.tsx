import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pathsOf } from '#domain/geometry/borders/corners.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { asset, origin, parcel, placeAt, squareAt, type TestFeature } from '#test/databases/test-map.ts'
import { InMap } from '#test/page/in-map.tsx'
import { preparePage } from '#test/page/page.tsx'
import { StubMap } from '#test/page/stub-map.ts'
import { shapeDrafts, startShaping } from '#web/workspace/shaping.ts'
import { type PluggedMode, ToolboxContext } from '#web/workspace/tool.ts'
import { ShapingPart } from './shaping-part.tsx'

const page = preparePage()
const editorId = 'rosa'
let map: StubMap
let mapId = ''
const onSelect = vi.fn<(id: string | undefined) => void>()
let plugged: PluggedMode | null = null
const plug = (mode: PluggedMode) => {
  plugged = mode
  return () => {}
}

beforeEach(() => {
  onSelect.mockClear()
  return page.signIn('administrator', { id: editorId, name: 'Rosa' })
})
afterEach(() => {
  map.getContainer().remove()
  vi.unstubAllGlobals()
})

// Lots A and B share a border. The yard has the same shape as lot A.
const shapes: TestFeature[] = [
  parcel({ id: 'a', name: 'Lot A', geometry: squareAt(0, 0, 40) }),
  parcel({ id: 'b', name: 'Lot B', geometry: squareAt(40, 0, 40) }),
  asset({ id: 'yard', name: 'Yard', geometry: squareAt(0, 0, 40) }),
]

type Start = Partial<Parameters<typeof startShaping>[2]>

async function open(features: TestFeature[], zoom = 19, start: Start = {}) {
  mapId = await page.given(features)
  map = new StubMap({ ...origin, zoom })
  map.getContainer().setPointerCapture = () => {}
  startShaping(editorId, mapId, { kind: 'parcel', id: 'a', isPlaced: true, ...start })
  const toolbox = { plug, turnOn: () => () => {} }
  await page.show(
    <InMap map={map}>
      <ToolboxContext value={toolbox as never}>
        <ShapingPart mapId={mapId} configuration={{} as never} onSelect={onSelect} />
      </ToolboxContext>
    </InMap>,
  )
  document.body.append(map.getContainer())
  if (!start.begin) await waitFor(() => expect(roles()).toContain('own'))
}

const roles = () =>
  map
    .featuresOf('shaping-handles')
    .map(({ properties }) => (properties as unknown as { role: string }).role)
    .filter((role) => role !== 'midpoint')
    .sort()

const positions = () =>
  map.featuresOf('shaping-handles').map(({ geometry }) => geometry.coordinates as [number, number])

const draft = () => shapeDrafts(editorId, mapId).get()

type Meters = readonly [east: number, north: number]

async function point(type: string, [east, north]: Meters, more: PointerEventInit = {}) {
  const { x, y } = map.project(placeAt(east, north))
  const { left, top } = map.getContainer().getBoundingClientRect()
  const place = { clientX: left + x, clientY: top + y, pointerType: 'mouse', pointerId: 1 }
  await act(async () => {
    map.getContainer().dispatchEvent(new PointerEvent(type, { ...place, button: 0, ...more }))
  })
}

async function drag(from: Meters, to: Meters, more?: PointerEventInit) {
  await point('pointerdown', from)
  await point('pointermove', to, more)
  await point('pointerup', to, more)
}

const cornersOf = (shape: Shape | null | undefined) =>
  (shape ? pathsOf(shape.geometry) : []).flatMap(({ corners }) => [...corners])

const changedIds = () => draft()?.steps.flatMap(({ changes }) => changes.map(([id]) => id)) ?? []

it('does not share corners with shapes of another kind, also of one that was edited before', async () => {
  // Lot N has the northeast corner of the field, far outside of the first view.
  const field = asset({ id: 'field', name: 'Field', geometry: squareAt(0, 150, 200) })
  await open([...shapes, field, parcel({ id: 'n', name: 'Lot N', geometry: squareAt(120, 270, 40) })])
  await waitFor(() => expect(roles()).toEqual(['own', 'own', 'shared', 'shared']))
  const lookAt = async (north: number) => {
    act(() => map.jumpTo({ center: [origin.lng, placeAt(0, north).lat] }))
    await waitFor(() => expect(page.client.isFetching()).toBe(0))
  }
  await lookAt(250)
  await lookAt(0)
  act(() => startShaping(editorId, mapId, { kind: 'asset', id: 'field', isPlaced: true }))
  await waitFor(() => expect(roles()).toEqual(['own', 'own']))
  page.answer(/\/shapes/, () => new Promise(() => {}))
  act(() => map.jumpTo({ center: [origin.lng, placeAt(0, 250).lat] }))
  expect(roles()).toEqual(['own', 'own'])
  await drag([100, 250], [105, 240])
  expect(changedIds()).toEqual(['field'])
})

it.each([15, 19])(
  'moves equal corners only, however close others are on the screen, at zoom %d',
  async (zoom) => {
    // Lot C has a corner a meter beside that of the others, half a pixel at zoom 15.
    await open([...shapes, parcel({ id: 'c', name: 'Lot C', geometry: squareAt(41, 40, 40) })], zoom)
    await drag([20, 20], [20, 60], { ctrlKey: true })
    expect(changedIds().sort()).toEqual(['a', 'b'])
  },
)

it('moves the pressed corner onto the corner of a neighbor, which stays', async () => {
  await open([...shapes, parcel({ id: 'c', name: 'Lot C', geometry: squareAt(0, 50, 40) })])
  await drag([20, 20], [20, 30])
  expect(changedIds().sort()).toEqual(['a', 'b'])
  const { lng, lat } = placeAt(20, 30)
  for (const [id, , after] of draft()?.steps[0]?.changes ?? []) {
    const corners = cornersOf(after)
    expect(
      corners.some((one) => Math.hypot(one[0] - lng, one[1] - lat) < 1e-9),
      id,
    ).toBe(true)
    expect(corners).toHaveLength(4)
  }
})

it('updates only the moving shapes during a drag, once per frame', async () => {
  await open(shapes)
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.splice(id - 1, 1))
  const paintFrame = () =>
    act(async () => {
      for (const frame of frames.splice(0)) frame(0)
    })
  await point('pointerdown', [20, 20])
  await point('pointermove', [20, 21], { ctrlKey: true })
  await paintFrame()
  const updates = (id: string) => vi.spyOn(map.getSource(id) as { setData(data: unknown): void }, 'setData')
  const moving = updates('shaping-moving')
  const others = ['shaping-handles', 'shaping-changed', 'shaping-problems'].map(updates)
  for (const north of [22, 24, 26]) await point('pointermove', [20, north], { ctrlKey: true })
  expect(moving).not.toHaveBeenCalled()
  await paintFrame()
  expect(moving).toHaveBeenCalledTimes(1)
  for (const source of others) expect(source).not.toHaveBeenCalled()
  await point('pointerup', [20, 26])
  expect(changedIds().sort()).toEqual(['a', 'b'])
})

it('shows during the drag of an existing or new corner what would be wrong', async () => {
  await open([...shapes, parcel({ id: 'c', name: 'Lot C', geometry: squareAt(0, 60, 40) })])
  const isFree = { ctrlKey: true }
  const areas = () => map.featuresOf('shaping-drag-problems')
  await point('pointerdown', [-20, 20])
  await point('pointermove', [-10, 50], isFree)
  await screen.findByText(/^Lot A overlaps Lot C/)
  expect(areas()).toHaveLength(1)
  await point('pointermove', [-10, 30], isFree)
  await waitFor(() => expect(screen.queryByText(/^Lot A overlaps Lot C/)).toBeNull())
  await point('pointermove', [30, 0], isFree)
  await screen.findByText(/^Lot A crosses itself/)
  await point('pointercancel', [30, 0])
  expect(screen.queryByText(/^Lot A crosses itself/)).toBeNull()
  await point('pointerdown', [0, 20])
  await point('pointermove', [0, 50], { ...isFree, altKey: true })
  await screen.findByText(/^Lot A overlaps Lot C/)
  await point('pointerup', [0, 50], { ...isFree, altKey: true })
  expect(areas()).toHaveLength(0)
  expect(changedIds()).toEqual(['a'])
  const corners = cornersOf(draft()?.steps[0]?.changes[0]?.[2])
  expect(corners).toHaveLength(5)
  expect(corners.some(([, lat]) => Math.abs(lat - placeAt(0, 50).lat) < 1e-9)).toBe(true)
})

it('keeps a change of someone else that arrives while a new corner is dragged', async () => {
  await open(shapes)
  await point('pointerdown', [-20, 0])
  await point('pointermove', [-26, 0], { ctrlKey: true })
  const theirs = squareAt(0, 0, 40) as { coordinates: Position[][] }
  const { lng, lat } = placeAt(-20, -24)
  const ring = theirs.coordinates[0] ?? []
  for (const index of [0, ring.length - 1]) ring[index] = [lng, lat]
  await page.changeElsewhere(mapId, 'a', { geometry: theirs })
  await act(() => page.client.invalidateQueries())
  const isShown = () => positions().some(([x, y]) => Math.hypot(x - lng, y - lat) < 1e-9)
  await waitFor(() => expect(isShown()).toBe(true))
  await point('pointercancel', [-26, 0])
  await drag([20, 20], [25, 25], { ctrlKey: true })
  expect(draft()?.versions).toEqual({ a: 2, b: 1 })
  const [change] = draft()?.steps[0]?.changes.filter(([id]) => id === 'a') ?? []
  expect(cornersOf(change?.[2])).toContainEqual([lng, lat])
})

it('saves nothing if a neighbor was changed by someone else, and shows both versions', async () => {
  await open(shapes)
  await drag([20, 20], [25, 25], { ctrlKey: true })
  const theirs = squareAt(41, 0, 38)
  await page.changeElsewhere(mapId, 'b', { geometry: theirs })
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  await page.user.click(save())
  await screen.findByText(/^Lot B was changed by Rosa/)
  expect(save().disabled).toBe(true)
  expect(map.featuresOf('shaping-theirs')).toMatchObject([{ geometry: theirs }])
  expect(map.featuresOf('shaping-changed')).toHaveLength(2)
  for (const [id, version] of [
    ['a', 1],
    ['b', 2],
  ] as const)
    expect(await page.saved(mapId, id)).toMatchObject({ version })
  await page.user.click(screen.getByRole('button', { name: 'Use mine' }))
  await page.user.click(save())
  await waitFor(() => expect(draft()).toBeNull())
  for (const [id, version] of [
    ['a', 2],
    ['b', 3],
  ] as const)
    expect(await page.saved(mapId, id)).toMatchObject({ version })
})

it('opens with the selected parcels to merge', async () => {
  await open(shapes, 19, { begin: { mode: 'merge', others: ['b'] } })
  const merge = await screen.findByRole<HTMLButtonElement>('button', { name: 'Merge 2 parcels' })
  await waitFor(() => expect(merge.disabled).toBe(false))
  await page.user.click(merge)
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge Lot A and Lot B' }))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Merge' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  await page.user.click(confirm)
  await waitFor(() => expect(changedIds().sort()).toEqual(['a', 'b']))
  const removed = draft()?.steps[0]?.changes.filter(([, , after]) => after === null)
  expect(removed?.map(([id]) => id)).toEqual(['b'])
})

it('starts a parcel from a deed, which is named before it is saved, and selected', async () => {
  const ofDeed: Start = { id: 'new', isPlaced: true, begin: { mode: 'deed' } }
  await open(shapes, 19, ofDeed)
  await page.user.click(await screen.findByRole('button', { name: 'Back' }))
  expect(draft()).toBeNull()
  act(() => startShaping(editorId, mapId, { kind: 'parcel', id: 'new', ...ofDeed }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Legal description' }), {
    target: {
      value: 'North 100 feet, East 100 feet, South 100 feet, West 100 feet to the point of beginning',
    },
  })
  act(() => void plugged?.current.onClick?.({ lngLat: placeAt(100, 100) } as never))
  await page.user.click(screen.getByRole('button', { name: 'New parcel' }))
  const id = draft()?.id ?? ''
  await page.user.click(await screen.findByRole('button', { name: 'Save' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await page.user.clear(name)
  await page.user.type(name, 'Lot 31')
  const dialog = within(screen.getByRole('dialog', { name: 'Name the new parcel' }))
  await page.user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(draft()).toBeNull())
  expect(await page.saved(mapId, id)).toMatchObject({ name: 'Lot 31', geometry: { type: 'Polygon' } })
  expect(onSelect.mock.calls).toEqual([[id]])
})

it('computes the missing call of a deed, previews an adjustment, and opens with the deed again', async () => {
  const ofDeed: Start = { id: 'new', isPlaced: true, begin: { mode: 'deed' } }
  await open(shapes, 19, ofDeed)
  const description = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Legal description' })
  const text = 'North 100 feet, East 100 feet, South 90 feet; thence to the point of beginning'
  fireEvent.change(await description(), { target: { value: text } })
  act(() => void plugged?.current.onClick?.({ lngLat: placeAt(100, 100) } as never))
  await screen.findByText(/The calls of the deed end 101 ft .* from the beginning. Call 4 is computed/)
  const call = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
  expect(call('Call 4, computed').value).toMatch(/^S 84°17'22" W 100.50 ft/)
  fireEvent.change(call('Call 3'), { target: { value: 'South 80 feet' } })
  fireEvent.blur(call('Call 3'))
  await screen.findByText(/The calls of the deed end 102 ft/)
  expect(call('Call 4, computed').value).toMatch(/^S 78°41'24" W/)

  await page.user.click(screen.getByRole('button', { name: 'Remove call 4' }))
  await screen.findByText(
    /Closing error 102 ft .* That is large: check the calls. .* the beginning is S 78°41'24" W/,
  )
  const shown = () => JSON.stringify(map.featuresOf('shaping-path')[1])
  const before = shown()
  const create = screen.getByRole<HTMLButtonElement>('button', { name: 'New parcel' })
  await page.user.click(screen.getByRole('button', { name: 'Adjust (compass rule)' }))
  await screen.findByText(/The compass rule would move corners by up to 102 ft/)
  expect(create.disabled).toBe(true)
  expect(shown()).not.toBe(before)
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(shown()).toBe(before)
  expect(call('Call 3').value).toMatch(/ 80.00 ft$/)
  await page.user.click(screen.getByRole('button', { name: 'Adjust (compass rule)' }))
  await page.user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText(/The calls close|Closing error less than/)
  expect(create.disabled).toBe(false)
  await page.user.click(screen.getByRole('button', { name: 'Revert to the text' }))
  await screen.findByText(/The calls of the deed end 101 ft/)

  await page.user.click(screen.getByRole('button', { name: 'Close deed' }))
  expect(draft()).toBeNull()
  act(() => startShaping(editorId, mapId, { kind: 'parcel', id: 'new', ...ofDeed }))
  expect((await description()).value).toBe(text)
})
