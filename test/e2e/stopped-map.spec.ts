import { asset, incident, placeAt, pointAt } from '#test/databases/test-map.ts'
import { coordinatesOf, Drawing } from './drawing.driver.ts'
import { expect, type Page, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// Browsers may stop a map: iOS terminates workers of background pages, and a reset of the graphics driver loses the
// WebGL context.

test.slow()

const message = 'The browser stopped the map. Restarting…'
const camera = { ...placeAt(0, 0), zoom: 15 }
const features = [
  asset({ id: 'well', name: 'Old well', geometry: pointAt(-300, 200) }),
  incident({ id: 'smoke', title: 'Smoke', geometry: pointAt(300, 200) }),
]

type WithWorkers = Window & { startedWorkers: Worker[] }

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const startedWorkers: Worker[] = []
    Object.assign(window, { startedWorkers })
    window.Worker = class extends Worker {
      constructor(...options: ConstructorParameters<typeof Worker>) {
        super(...options)
        startedWorkers.push(this)
      }
    }
  }),
)

const terminateWorkers = (page: Page) =>
  page.evaluate(() => {
    for (const worker of (window as unknown as WithWorkers).startedWorkers.splice(0)) worker.terminate()
  })

const loseContext = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('section[data-map-state] canvas')
    canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
  })

test('the map restarts after it lost its WebGL context or workers, with its camera, selection and drawing', {
  tag: '@painted',
}, async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  const mapId = await given(features)
  for (const [index, stop] of [loseContext, terminateWorkers].entries()) {
    await map.openViewer(mapId, { camera: { ...camera, zoom: 15 - index } })
    await map.canvas.isComplete()
    await map.canvas.click(placeAt(-300, 200))
    await map.hasDetailsOf('Old well')
    await drawing.open('Rectangle')
    await drawing.clickAt(placeAt(-100, -200))
    const before = await map.canvas.camera()

    // In each frame: a restart takes less than half a second.
    const isRestarting = page.waitForFunction((text) => document.body.textContent?.includes(text), message)
    await stop(page)
    await map.canvas.press('+')
    await isRestarting
    await map.canvas.isComplete()
    await expect(page.getByText(message)).toBeHidden()
    await map.canvas.cameraIs({ ...before, zoom: before.zoom + 1 })
    const places = [
      { name: 'well', ...placeAt(-300, 200) },
      { name: 'smoke', ...placeAt(300, 200) },
    ]
    await map.canvas.showsInkAt(places).toEqual(['well', 'smoke'])
    await map.hasDetailsOf('Old well')

    await expect(drawing.sketch).toHaveAttribute('data-sketch', 'rectangle')
    await drawing.clickAt(placeAt(100, -100))
    await expect.poll(() => drawing.logged.length).toBe(index + 1)
    expect(coordinatesOf(drawing.logged[index])[0]).toHaveLength(5)
    await drawing.tool('Rectangle').click()
    await expect(drawing.bar).toBeHidden()
    await map.canvas.click(placeAt(300, 200))
    await map.hasDetailsOf('Smoke')
  }
})
