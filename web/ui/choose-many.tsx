import { Checkbox } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './choose-many.module.css'
import { SearchBox } from './search-box.tsx'

type ChooseManyProps = {
  label: string
  searchLabel: string
  placeholder: string
  text: string | undefined
  onSearch(text: string | undefined): void
  options: readonly { id: string; label: string }[]
  isSearching: boolean
  chosen: readonly string[]
  onChoose(ids: readonly string[]): void
  error?: string | undefined
  children?: ReactNode
}

export function ChooseMany({
  label,
  searchLabel,
  placeholder,
  text,
  onSearch,
  options,
  isSearching,
  chosen,
  onChoose,
  error,
  children,
}: ChooseManyProps) {
  const errorId = useId()
  const areAllChosen = options.length > 0 && options.every(({ id }) => chosen.includes(id))
  return (
    <fieldset
      className={classes.choice}
      aria-describedby={error === undefined ? undefined : errorId}
      data-error={error !== undefined || undefined}
    >
      <legend>{label}</legend>
      <SearchBox label={searchLabel} placeholder={placeholder} text={text} onSearch={onSearch} />
      <Checkbox
        label={text ? 'All results' : 'All listed'}
        checked={areAllChosen}
        disabled={isSearching || options.length === 0}
        indeterminate={!areAllChosen && chosen.length > 0}
        onChange={() =>
          onChoose([
            ...chosen.filter((id) => !options.some((one) => one.id === id)),
            ...(areAllChosen ? [] : options.map(({ id }) => id)),
          ])
        }
      />
      <ul className={classes.list} aria-busy={isSearching}>
        {options.length === 0 && !isSearching && <li>No results</li>}
        {options.map(({ id, label }) => (
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
