import { MutationObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

it('shows that a request runs before the second click of a double click', async () => {
  const saving = new MutationObserver(createQueryClient(), { mutationFn: () => new Promise(() => {}) })
  const seen: boolean[] = []
  saving.subscribe(({ isPending }) => seen.push(isPending))
  void saving.mutate()
  // No task runs meanwhile, as between the listeners of two clicks.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  expect(seen).toEqual([true])
})
