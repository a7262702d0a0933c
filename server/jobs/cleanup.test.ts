import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startCleanup } from './cleanup.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const hourMs = 3_600_000

it('runs every step when others fail, and reports each failure by name', async () => {
  const [run, errors] = [[] as string[], [] as string[]]
  const step = (what: string, failure?: Error) => ({
    what,
    async remove() {
      run.push(what)
      if (failure) throw failure
    },
  })
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  const steps = [
    step('old uploads', full),
    step('old exports', new Error('no such table')),
    step('old drafts'),
  ]
  const cleanup = startCleanup(steps, ({ message }) => errors.push(message))
  expect(run).toEqual([])
  await vi.advanceTimersByTimeAsync(hourMs)
  await cleanup.close()
  expect(run).toEqual(['old uploads', 'old exports', 'old drafts'])
  expect(errors).toEqual([
    expect.stringMatching(/^Cannot remove old uploads: .*disk.* full/),
    'Cannot remove old exports: no such table',
  ])
})

it('runs marked steps at the start, and no others', async () => {
  const run: string[] = []
  const step = (what: string) => ({ what, remove: async () => void run.push(what) })
  const cleanup = startCleanup(
    [{ ...step('temporary files'), isAtStart: true }, step('old drafts')],
    () => {},
  )
  await cleanup.close()
  expect(run).toEqual(['temporary files'])
})
