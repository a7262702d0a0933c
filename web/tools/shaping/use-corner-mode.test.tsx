import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { editingOf, InQueryClient } from '#test/page/shape-editing.tsx'
import { useCornerMode } from './use-corner-mode.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it.each([
  ['a mouse', false, 'Hold Alt to move only this shape, or Ctrl to turn off snapping.'],
  ['a finger', true, null],
])('mentions the keys of a drag to users with %s', (_pointer, hasFinger, hint) => {
  vi.spyOn(window, 'matchMedia').mockReturnValue(
    Object.assign(new EventTarget(), { matches: hasFinger }) as MediaQueryList,
  )
  const { result } = renderHook(() => useCornerMode(editingOf(), true), { wrapper: InQueryClient })
  expect(result.current.hint).toBe(hint)
})
