import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Transform } from '#domain/geometry/borders/shape-parts.ts'
import { editingOf } from '#test/page/shape-editing.tsx'
import type { Editing } from './editing.ts'
import { TransformFields } from './transform-fields.tsx'
import { useTransformMode } from './use-transform-mode.tsx'

afterEach(cleanup)

type Input = { distance?: string; bearing?: string; degrees?: string }

function apply(input: Input) {
  const onApply = vi.fn<(transform: Transform) => void>()
  applyIn(<TransformFields onApply={onApply} />, input)
  return onApply.mock.calls.map(([transform]) => transform)
}
function applyIn(fields: ReactNode, input: Input) {
  render(<MantineProvider>{fields}</MantineProvider>)
  const labels = { distance: 'Distance', bearing: 'Bearing', degrees: 'Rotate clockwise' }
  for (const [key, value] of Object.entries(input))
    fireEvent.change(screen.getByLabelText(labels[key as keyof typeof labels]), { target: { value } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
}

it('moves a shape by feet along a bearing', () => {
  const [transform] = apply({ distance: '100', bearing: 'S 30 E' })
  expect(transform?.east).toBeCloseTo(15.24, 6)
  expect(transform?.north).toBeCloseTo(-26.396_454, 6)
  expect(transform?.clockwise).toBe(0)
  expect(screen.getByLabelText<HTMLInputElement>('Distance').value).toBe('')
})

it('adds a step to the draft', () => {
  const [west, east] = [-112.4, -112.399]
  const shape = (lat: number): Shape => ({
    id: 'a',
    name: 'Lot A',
    geometry: {
      type: 'LineString',
      coordinates: [
        [west, lat],
        [east, lat],
      ],
    },
  })
  const add = vi.fn<Editing['add']>()
  const Mode = () => useTransformMode(editingOf(shape(35), { add }), true, () => {}).fields
  applyIn(<Mode />, { distance: '1000', bearing: 'North' })
  const [words, edit] = add.mock.calls[0] ?? []
  expect(words).toBe('Move Lot A')
  expect(edit?.get('a')?.after?.geometry.coordinates).toEqual([
    [west, expect.closeTo(35.002_747, 5)],
    [east, expect.closeTo(35.002_747, 5)],
  ])
})

it('rotates a shape by degrees', () => {
  expect(apply({ degrees: '-12.5' })).toEqual([{ east: 0, north: 0, clockwise: -12.5 }])
})

it.each([
  [{}, 'Enter a distance, or degrees to rotate.'],
  [{ bearing: 'N 45 E' }, 'Enter a distance of more than 0.'],
  [{ distance: '0', bearing: 'N 45 E' }, 'Enter a distance of more than 0.'],
  [{ distance: '100' }, "Enter a bearing, such as N 45°30' E."],
  [{ distance: '100', bearing: 'N 45°' }, 'East or west is missing.'],
  [{ degrees: '360' }, 'Enter degrees between -360 and 360, except 0.'],
])('explains why %j cannot be applied', (input, message) => {
  expect(apply(input)).toEqual([])
  expect(screen.getByText(message)).toBeTruthy()
})
