import { TextInput, type TextInputProps } from '@mantine/core'
import type { SyntheticEvent } from 'react'

/** The text of a date or time of which the user typed only a part. No date, so that forms report it. */
export const incompleteDate = 'incomplete'

type DateInputProps = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  type: 'date' | 'datetime-local' | 'time'
  value: string
  onChange(text: string): void
}

/** Browsers give an incomplete date the value of an empty one, in part without an event. */
export function DateInput({ value, onChange, ...props }: DateInputProps) {
  const textOf = ({ value: shown, validity }: HTMLInputElement) =>
    validity.badInput ? incompleteDate : shown
  /** Leaves a stored date that browsers cannot show, such as one of the year 0. */
  function check({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    const text = textOf(currentTarget)
    if ((text === incompleteDate) !== (value === incompleteDate)) onChange(text)
  }
  return (
    <TextInput
      {...props}
      // Setting a value would clear the parts that were typed.
      value={value === incompleteDate ? '' : value}
      onChange={({ currentTarget }) => onChange(textOf(currentTarget))}
      onKeyUp={check}
      onBlur={check}
    />
  )
}
