import { renderHook } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'

it('dates the data of an offline copy by the copy', async () => {
  document.head.innerHTML = '<meta name="copied-at" content="Sun, 29 Nov 2026 18:24:00 GMT">'
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const online = globalThis.fetch
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  onTestFinished(() => {
    document.head.innerHTML = ''
    globalThis.fetch = online
    vi.useRealTimers()
  })
  // As a page that has just loaded.
  vi.resetModules()
  const { checkConnection, useConnection } = await import('./connection.ts')
  expect(await checkConnection()).toBe(false)
  const { result } = renderHook(() => useConnection())
  expect(result.current).toMatchObject({ isAway: true, asOf: Date.UTC(2026, 10, 29, 18, 24) })
})
