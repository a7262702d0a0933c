import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { foldText } from '#domain/values/text.ts'
import classes from './choose-many.module.css'

type ChooseManyProps = {
  label: string
  /** Says what is searched: 'Search the clients to copy to'. */
  searchLabel: string
  placeholder: string
  /** `found` has the words that the search finds it by, beside its label. */
  options: readonly { id: string; label: string; found?: string }[]
  chosen: readonly string[]
  onChoose(ids: readonly string[]): void
  error?: string | undefined
  /** Below the list: where there is more. */
  children?: ReactNode
}

/** Any number of many, by search or all together. */
export function ChooseMany({
  label,
  searchLabel,
  placeholder,
  options,
  chosen,
  onChoose,
  error,
  children,
}: ChooseManyProps) {
  const [sought, setSought] = useState('')
  const errorId = useId()
  const shown = options.filter((option) =>
    foldText(`${option.label} ${option.found ?? ''}`).includes(foldText(sought)),
  )
  const areAllChosen = shown.length > 0 && shown.every(({ id }) => chosen.includes(id))
  return (
    <fieldset className={classes.choice} aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{label}</legend>
      <TextInput
        aria-label={searchLabel}
        placeholder={placeholder}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <Checkbox
        label={sought ? 'All that are found' : 'All that are listed'}
        checked={areAllChosen}
        indeterminate={!areAllChosen && chosen.length > 0}
        onChange={() =>
          onChoose([
            ...chosen.filter((id) => !shown.some((one) => one.id === id)),
            ...(areAllChosen ? [] : shown.map(({ id }) => id)),
          ])
        }
      />
      <ul className={classes.list}>
        {shown.map(({ id, label }) => (
          <li key={id}>
            <Checkbox
              label={label}
              checked={chosen.includes(id)}
              onChange={() =>
                onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
              }
            />
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <p className={classes.error} role="alert" id={errorId}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}
