import { notificationsStore } from '@mantine/notifications'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, showSuccess } from './toasts.tsx'

afterEach(() => vi.restoreAllMocks())

it('hides messages of the last page, except one that has just been shown', () => {
  const shown = () => notificationsStore.getState().notifications.map(({ message }) => message)
  const begin = Date.now()
  const clock = vi.spyOn(Date, 'now')
  showSuccess('Token revoked')
  clock.mockReturnValue(begin + 3_000)
  showSuccess('Client added')
  leavePage()
  expect(shown()).toEqual(['Client added.'])
  clock.mockReturnValue(begin + 6_000)
  leavePage()
  expect(shown()).toEqual([])
})
