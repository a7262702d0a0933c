import { MutationObserver, notifyManager, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { RequestError } from './http.ts'
import { createQueryClient } from './query-client.ts'

async function requestsFor(status: number, between?: () => unknown) {
  const client = createQueryClient()
  const queryFn = vi.fn(() => Promise.reject(new RequestError(status, 'no')))
  const options = client.defaultQueryOptions({ queryKey: ['one'], queryFn, retry: false })
  await client.fetchQuery(options).catch(() => {})
  await between?.()
  const stop = new QueryObserver(client, options).subscribe(() => {})
  stop()
  return queryFn.mock.calls.length
}

describe('a query that failed', () => {
  it.each([400, 403, 404, 410])('is not repeated by the next component after a %i', async (status) => {
    expect(await requestsFor(status)).toBe(1)
  })

  it.each([0, 401, 408, 429, 500, 503])('is repeated by the next component after a %i', async (status) => {
    expect(await requestsFor(status)).toBe(2)
  })

  it('is repeated later', async () => {
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now')
    expect(await requestsFor(404, () => clock.mockReturnValue(now + 60_000))).toBe(2)
    clock.mockRestore()
  })
})

it('shows that a request runs before the second click of a double click', async () => {
  const saving = new MutationObserver(createQueryClient(), { mutationFn: () => new Promise(() => {}) })
  const render = vi.fn()
  // As components listen.
  saving.subscribe(notifyManager.batchCalls(render))
  void saving.mutate()
  // No task runs meanwhile, as between the listeners of two clicks.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  expect(render).toHaveBeenCalled()
})
