import { TextInput, type TextInputProps } from '@mantine/core'
import type { SyntheticEvent } from 'react'

/** The text of a date of which the user typed only a part. No date, so that forms report it. */
export const incompleteDate = 'incomplete'

type DateInputProps = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  type: 'date' | 'datetime-local'
  value: string
  onChange(text: string): void
}

/** Browsers give an incomplete date the value of an empty one, in part without an event. */
export function DateInput({ value, onChange, ...props }: DateInputProps) {
  function check({ currentTarget: { value: shown, validity } }: SyntheticEvent<HTMLInputElement>) {
    const text = validity.badInput ? incompleteDate : shown
    if (text !== value) onChange(text)
  }
  return (
    <TextInput
      {...props}
      // Setting a value would clear the parts that were typed.
      value={value === incompleteDate ? '' : value}
      onChange={check}
      onKeyUp={check}
      onBlur={check}
    />
  )
}
