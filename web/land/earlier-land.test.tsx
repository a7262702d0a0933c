import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setTimeZone } from '#web/ui/time-zone.ts'
import { EarlierLand } from './earlier-land.tsx'

const extent = { west: 0, south: 0, east: 1, north: 1 }
const times: (string | null)[] = []
const shown: (string | undefined)[] = []

beforeEach(() => {
  times.length = shown.length = 0
  vi.useFakeTimers({ now: Date.parse('2026-11-29T02:30:00Z'), toFake: ['Date'] })
  setTimeZone('America/Phoenix')
  vi.stubGlobal('fetch', async (address: string) => {
    times.push(new URL(address, 'http://localhost').searchParams.get('at'))
    return Response.json({ items: [], added: 0, isComplete: true })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setTimeZone(undefined)
})

function Panel() {
  const [asOf, setAsOf] = useState<string>()
  shown.push(asOf)
  return <EarlierLand mapId="oak-hills" extent={extent} asOf={asOf} onAsOf={setAsOf} onShow={() => {}} />
}
function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <Panel />
      </MantineProvider>
    </QueryClientProvider>,
  )
}
const enter = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

it('shows the land at the end of a day, or at a local time of it', async () => {
  open()
  enter('As of', '2026-11-28')
  await waitFor(() => expect(times).toEqual(['2026-11-29T06:59:59.999Z']))
  enter('Time (optional)', '19:15')
  await waitFor(() => expect(times.at(-1)).toBe('2026-11-29T02:15:00.000Z'))
  expect(shown.at(-1)).toBe('2026-11-28T19:15')
  enter('As of', '2026-11-27')
  await waitFor(() => expect(times.at(-1)).toBe('2026-11-28T02:15:00.000Z'))
  enter('Time (optional)', '')
  await waitFor(() => expect(times.at(-1)).toBe('2026-11-28T06:59:59.999Z'))
  expect(screen.getByText('0 parcels. Nothing has changed since.')).toBeTruthy()
})

it.each([
  ['2026-11-29', ''],
  ['2026-11-28', '19:31'],
])('refuses the future time %s %s', (day, time) => {
  open()
  expect(screen.getByLabelText<HTMLInputElement>('As of').max).toBe('2026-11-28')
  if (time !== '') enter('As of', '2026-11-27')
  if (time !== '') enter('Time (optional)', time)
  const before = times.length
  enter('As of', day)
  expect(screen.getByText('Choose a time that is not in the future')).toBeTruthy()
  expect(times).toHaveLength(before)
  expect(screen.queryByRole('status')).toBeNull()
})

it('keeps a day while its year is typed, and uses it when it is complete', async () => {
  open()
  for (const day of ['0002-11-27', '0020-11-27', '0202-11-27']) {
    enter('As of', day)
    expect(screen.getByLabelText<HTMLInputElement>('As of').value).toBe(day)
  }
  expect(shown.at(-1)).toBeUndefined()
  enter('As of', '2026-11-27')
  await waitFor(() => expect(shown.at(-1)).toBe('2026-11-27'))
  fireEvent.click(screen.getByRole('button', { name: 'Show current land only' }))
  expect(shown.at(-1)).toBeUndefined()
  expect(screen.getByLabelText<HTMLInputElement>('As of').value).toBe('')
})
