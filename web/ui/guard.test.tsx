import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConnectionContext } from './connection-context.ts'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.tsx'
import { loadChunk, watchStyles } from './load-chunk.ts'

const Here = () => <p>It is here</p>
const notLoaded = (): Promise<typeof Here> =>
  Promise.reject(new Error('Failed to fetch dynamically imported module: x.js'))
const here = () => Promise.resolve(Here)
const fakeTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe('a part that fails to load', () => {
  const doubt = vi.fn()
  async function show(load: () => Promise<typeof Here>, layout: 'panel' | 'dialog' = 'panel') {
    fakeTime()
    const Part = lazyPart(load)
    const onClose = vi.fn()
    const ui = (connection: { isAway: boolean; isOutdated: boolean }) => (
      <MantineProvider>
        <ConnectionContext value={{ ...connection, doubt }}>
          <Guard what="The part" layout={layout} onClose={onClose}>
            <Part />
          </Guard>
        </ConnectionContext>
      </MantineProvider>
    )
    const online = { isAway: false, isOutdated: false }
    const { rerender } = await act(async () => render(ui(online), { onCaughtError: () => {} }))
    return {
      onClose,
      connection: (changes: Partial<typeof online>) =>
        act(async () => rerender(ui({ ...online, ...changes }))),
    }
  }
  const failure = () => screen.getByRole('alert')
  const buttons = () =>
    within(failure())
      .getAllByRole('button')
      .map(({ textContent }) => textContent)

  it('loads after short failures of the network without an error', async () => {
    const load = vi.fn(here).mockImplementationOnce(notLoaded).mockImplementationOnce(notLoaded)
    await show(load)
    await pass(1_500)
    screen.getByText('It is here')
    expect(load).toHaveBeenCalledTimes(3)
  })

  it('shows an error, checks the connection, and loads on Try again', async () => {
    const load = vi.fn(notLoaded)
    await show(load)
    await pass(1_500)
    expect(failure().textContent).toMatch(/^The part could not be loaded.The server returned an error./)
    expect(buttons()).toEqual(['Try again', 'Reload', 'Close'])
    expect(doubt).toHaveBeenCalled()
    load.mockImplementation(here)
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
    await pass(0)
    screen.getByText('It is here')
  })

  it('loads when the connection is back, and offers no reload before', async () => {
    const load = vi.fn(notLoaded)
    const { connection } = await show(load)
    await pass(1_500)
    await connection({ isAway: true })
    expect(failure().textContent).toContain('It loads as soon as you are back online.')
    expect(buttons()).toEqual(['Try again', 'Close'])
    load.mockImplementation(here)
    await connection({ isAway: false })
    await pass(0)
    screen.getByText('It is here')
  })

  it('only offers a reload if the page is outdated', async () => {
    const { connection } = await show(notLoaded)
    await pass(1_500)
    await connection({ isOutdated: true })
    expect(failure().textContent).toContain('A new version is available')
    expect(buttons()).toEqual(['Reload', 'Close'])
  })

  it('shows the error of a dialog in a dialog that can be closed', async () => {
    const { onClose } = await show(notLoaded, 'dialog')
    await pass(1_500)
    const dialog = screen.getByRole('dialog', { name: 'The part' })
    expect(dialog.textContent).toContain('The part could not be loaded.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(onClose).toHaveBeenCalled()
  })

  it('times out after 30 seconds', async () => {
    await show(() => new Promise(() => {}))
    await pass(29_900)
    expect(screen.queryByRole('alert')).toBeNull()
    await pass(200)
    failure()
  })

  it('is not loaded again if its code throws', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('x is not a function')))
    await show(load as () => Promise<typeof Here>)
    await pass(0)
    expect(failure().textContent).toContain('The part could not be shown.')
    expect(load).toHaveBeenCalledTimes(1)
  })
})

describe('a stylesheet that failed to load', () => {
  beforeAll(watchStyles)

  function failingStyle() {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.dataset.test = ''
    document.head.append(link)
    link.dispatchEvent(new Event('error'))
  }
  const settle = (type: 'load' | 'error') =>
    document.querySelector('link[data-test]')?.dispatchEvent(new Event(type))

  it('loads again with the chunk that needs it, without delaying others', async () => {
    fakeTime()
    const load = vi.fn(here).mockImplementationOnce(() => {
      failingStyle()
      return Promise.reject(new Error('Unable to preload CSS for /assets/x.css'))
    })
    const part = loadChunk(load)
    await vi.advanceTimersByTimeAsync(300)
    const other = loadChunk(here)
    settle('error')
    expect(await other).toBe(Here)
    expect(load).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1_200)
    settle('load')
    expect(await part).toBe(Here)
    expect(load).toHaveBeenCalledTimes(2)
  })
})
