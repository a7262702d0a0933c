import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { timeZone, useTimeZone } from './time-zone.ts'

afterEach(cleanup)

function Page({ zone }: { zone: string }) {
  useTimeZone(zone)
  return null
}

it('a page that follows another one keeps its time zone', () => {
  const initial = timeZone()
  const { rerender, unmount } = render(<Page key="one" zone="America/Phoenix" />)
  expect(timeZone()).toBe('America/Phoenix')
  rerender(<Page key="other" zone="Asia/Kolkata" />)
  expect(timeZone()).toBe('Asia/Kolkata')
  unmount()
  expect(timeZone()).toBe(initial)
})
