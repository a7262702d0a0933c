import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import type { Position } from 'geojson'
import { type ComponentType, useState } from 'react'
import { afterEach, expect, vi } from 'vitest'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { type DrawingTool, drawingTools } from '#domain/map-configuration/map-constants.ts'
import { origin } from '#test/databases/test-map.ts'
import type { DrawnShape } from '#web/tools/drawing/shapes/drawn-shape.ts'
import { type PluggedMode, ToolboxContext, type ToolProps } from '#web/workspace/tool.ts'
import { InMap } from './in-map.tsx'
import type { TestPage } from './page.tsx'
import { StubMap } from './stub-map.ts'

type Place = { lng: number; lat: number }

/** The drawing tools on a map that paints nothing, with the drawing engine and the server. */
export class DrawingPage {
  readonly page: TestPage
  readonly logged: { what: string; shape: DrawnShape }[] = []
  map = new StubMap({ ...origin, zoom: 15 })
  mapId = ''
  /** The features under each click. */
  hits: readonly { id: string }[] = []
  /** An administrator applies other settings. */
  applyTools: (tools: readonly DrawingTool[]) => void = () => {}
  #modes = new Set<PluggedMode>()

  constructor(page: TestPage) {
    this.page = page
    afterEach(() => {
      this.map.getContainer().remove()
      vi.mocked(console.info).mockRestore()
    })
  }

  /** Without `person`, as a visitor. */
  async open(
    options: { mapId?: string; at?: Place & { zoom: number }; tools?: readonly DrawingTool[] } = {},
  ) {
    const { mapId, at = { ...origin, zoom: 15 }, tools = drawingTools } = options
    this.mapId = mapId ?? (await this.page.given([]))
    cleanup()
    this.map.getContainer().remove()
    this.map = new StubMap(at)
    document.body.append(this.map.getContainer())
    this.logged.length = 0
    this.#modes = new Set()
    vi.spyOn(console, 'info').mockImplementation((text: string) => {
      const [, what, shape] = /^Shape (\w+): (.*)$/.exec(text) ?? []
      if (what && shape) this.logged.push({ what, shape: JSON.parse(shape) })
    })
    const { DrawingPart } = await import('#web/tools/drawing/drawing-part.tsx')
    const Configured = () => {
      const [drawingTools, setTools] = useState(tools)
      this.applyTools = (next) => act(() => setTools(next))
      return this.#surroundings(DrawingPart, drawingTools)
    }
    await this.page.show(<Configured />)
    await screen.findByRole('toolbar', { name: 'Drawing' })
  }

  #surroundings(Part: ComponentType<ToolProps>, tools: readonly DrawingTool[]) {
    const toolbox = {
      plug: (mode: PluggedMode) => {
        this.#modes.add(mode)
        return () => this.#modes.delete(mode)
      },
      turnOn: () => () => {},
    }
    const configuration = { configuration: { drawingTools: tools } }
    return (
      <InMap map={this.map}>
        <ToolboxContext value={toolbox as never}>
          <Part mapId={this.mapId} configuration={configuration as never} />
        </ToolboxContext>
      </InMap>
    )
  }

  get status() {
    return within(screen.getByRole('region', { name: 'Drawing status' })).getByRole('status').textContent
  }
  get bar() {
    return screen.getByRole('region', { name: 'Drawing status' }).textContent
  }
  get isRefused() {
    return screen.queryByText('Shape edges must not cross') !== null
  }
  get corners() {
    return document.querySelectorAll('svg[data-sketch] circle').length
  }
  get shapes() {
    return this.map.featuresOf('shapes')
  }
  get panel() {
    return screen.getByRole('region', { name: 'Drawings' })
  }
  get notices() {
    return within(this.panel)
      .queryAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join()
  }

  button(name: string): HTMLButtonElement {
    return screen.getByRole('button', { name })
  }
  isEnabled = (name: string) => !this.button(name).disabled

  press(...names: string[]) {
    return act(async () => {
      for (const name of names) {
        // A click by keyboard has a count of 0.
        this.button(name).dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }),
        )
        await Promise.resolve()
      }
    })
  }

  async choose(name: string) {
    await this.press(name)
    await waitFor(() => expect(this.status).toMatch(/^Click /))
  }

  async draw(tool: string, ...places: Place[]) {
    await this.choose(`Draw: ${tool}`)
    await this.clickAt(...places)
    if (screen.queryByRole('button', { name: 'Finish' })) await this.press('Finish')
  }

  /** Selects the shape at `place`. */
  async edit(place: Place) {
    await this.choose('Edit shapes')
    await this.clickAt(place)
    expect(this.status).toMatch(/^Drag the /)
  }

  /** `x` and `y` are pixels. */
  beside(place: Place, x: number, y: number): Place {
    const point = this.map.project(place)
    return this.map.unproject({ x: point.x + x, y: point.y + y })
  }

  async key(key: string, more: KeyboardEventInit = {}, target: EventTarget = this.map.getCanvas()) {
    await act(async () => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, ...more })
      target.dispatchEvent(event)
      for (const mode of this.#modes) if (mode.current.onKey?.(event)) break
    })
  }

  async moveTo(...places: Place[]) {
    for (const place of places) await this.#point('pointermove', place)
  }

  async clickAt(...places: Place[]) {
    for (const place of places) await this.#clickAt(place, 0)
  }
  rightClickAt = (place: Place) => this.#clickAt(place, 2)

  async drag(from: Place, to: Place, halfway?: () => Promise<void>) {
    await this.#point('pointermove', from)
    await this.#point('pointerdown', from)
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await this.#point('pointermove', {
        lng: from.lng + (to.lng - from.lng) * share,
        lat: from.lat + (to.lat - from.lat) * share,
      })
      if (share === 0.5) await halfway?.()
    }
    await this.#point('pointerup', to)
  }

  async #clickAt(place: Place, button: number) {
    await this.#point('pointermove', place)
    await this.#point('pointerdown', place, button)
    await this.#point('pointerup', place, button)
    if (button !== 0) return
    await act(async () => {
      const click = { lngLat: { ...place, toArray: () => [place.lng, place.lat] }, hits: this.hits }
      this.map.fire('click', click as never)
      for (const mode of this.#modes) if (mode.current.onClick?.(click as never)) break
    })
  }

  async #point(type: string, place: Place, button = 0) {
    const { x, y } = this.map.project(place)
    const { left, top } = this.map.getContainer().getBoundingClientRect()
    await act(async () => {
      const event = new PointerEvent(type, {
        clientX: left + x,
        clientY: top + y,
        button,
        isPrimary: true,
        pointerId: 1,
        bubbles: true,
      })
      this.map.getCanvas().dispatchEvent(event)
    })
  }

  hasLogged(...expected: string[]) {
    expect(this.logged.map(({ what, shape }) => `${what} ${shape.properties.kind}`)).toEqual(expected)
    return this.logged.map(({ shape }) => shape)
  }

  async chooseFiles(texts: Record<string, string>) {
    const files = Object.entries(texts).map(([name, text]) => new File([text], name))
    const input = screen.getByLabelText<HTMLInputElement>('GeoJSON file')
    Object.defineProperty(input, 'files', { value: files, configurable: true })
    await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })))
  }

  async saved(): Promise<Drawing[]> {
    const { database } = this.page.server
    const rows = await database.read
      .selectFrom('drawings')
      .selectAll()
      .where('map_id', '=', this.mapId)
      .execute()
    return rows as unknown as Drawing[]
  }
  async isSaved() {
    await waitFor(() => expect(within(this.panel).queryByText('Saving…')).toBeNull())
    expect(this.notices).toBe('')
  }
}

export function pathOf(shape: DrawnShape | undefined): Position[] {
  if (!shape) return []
  const { geometry } = shape
  if (geometry.type === 'Point') return [geometry.coordinates]
  return geometry.type === 'LineString' ? geometry.coordinates : (geometry.coordinates[0] ?? [])
}
