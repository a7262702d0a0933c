import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { squareAt } from '#test/databases/test-map.ts'
import { SplitByArea } from './split-by-area.tsx'

afterEach(cleanup)

/** A square of 400 m measures 39.4 acres. */
const lot: Shape = { id: 'lot', name: 'Lot 20', geometry: squareAt(0, 0, 400) }

function openDialog() {
  const onSplit = vi.fn()
  render(
    <MantineProvider env="test">
      <SplitByArea isOpen graph={new ShapeGraph([lot])} shape={lot} onClose={() => {}} onSplit={onSplit} />
    </MantineProvider>,
  )
  const lots = () => screen.queryAllByRole('listitem').map((item) => item.textContent)
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Split' })
  return { lots, type, submit, onSplit }
}

it('shows the lots that a split by area would make, before it is made', () => {
  const { lots, type, submit } = openDialog()
  expect(lots()).toEqual([])
  type('Area', '10')
  expect(lots()).toEqual(['Lot 20: 29.4 acres', 'Lot 20 (2): 10 acres'])
  type('Area', '40')
  expect(lots()).toEqual([])
  expect(submit.disabled).toBe(true)
  fireEvent.click(screen.getByLabelText('Equal parts'))
  type('Number of lots', '3')
  expect(lots()).toEqual(['Lot 20: 13.1 acres', 'Lot 20 (2): 13.1 acres', 'Lot 20 (3): 13.1 acres'])
})

it('says why a line would not divide the lot', () => {
  const { lots, type, submit } = openDialog()
  fireEvent.click(screen.getByLabelText('By distance'))
  type('Distance', '2000')
  expect(screen.getByRole('alert').textContent).toBe('The distance must be smaller than the whole.')
  expect(lots()).toEqual([])
  expect(submit.disabled).toBe(true)
})
