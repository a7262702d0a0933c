import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { DateInput, incompleteDate } from './date-input.tsx'

afterEach(cleanup)

it('an incomplete date is not taken for an empty one, and stays in its field', () => {
  const texts: string[] = []
  function Form() {
    const [text, setText] = useState('2027-01-15')
    texts.push(text)
    return (
      <MantineProvider>
        <DateInput label="First due" type="date" value={text} onChange={setText} />
      </MantineProvider>
    )
  }
  render(<Form />)
  const input = screen.getByLabelText<HTMLInputElement>('First due')
  const type = (value: string, badInput: boolean) => {
    Object.defineProperty(input, 'validity', { value: { badInput }, configurable: true })
    // Browsers report some of these changes by no input event.
    input.value = value
    fireEvent.keyUp(input)
  }
  type('', true)
  expect(texts.at(-1)).toBe(incompleteDate)
  expect(input.value).toBe('')
  type('2027-03-15', false)
  expect(texts.at(-1)).toBe('2027-03-15')
  type('', true)
  type('', false)
  expect(texts.at(-1)).toBe('')
})

it('a stored date that browsers cannot show stays', () => {
  const onChange = vi.fn()
  render(
    <MantineProvider>
      <DateInput label="Built" type="date" value="0000-01-01" onChange={onChange} />
    </MantineProvider>,
  )
  fireEvent.blur(screen.getByLabelText('Built'))
  expect(onChange).not.toHaveBeenCalled()
})
