import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback, useMergedRef } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type Ref, useRef, useState } from 'react'
import classes from './search-box.module.css'

/** The server's limit. */
const longestSearch = 200

type SearchInputProps = Pick<TextInputProps, 'className' | 'size' | 'mt' | 'placeholder'> & {
  label: string
  value: string
  onType(text: string): void
  onEnter?(): void
  inputRef?: Ref<HTMLInputElement>
}

export function SearchInput({
  label,
  value,
  onType,
  onEnter,
  inputRef,
  className,
  ...props
}: SearchInputProps) {
  const ownRef = useRef<HTMLInputElement>(null)
  return (
    <TextInput
      placeholder="Search..."
      {...props}
      ref={useMergedRef(ownRef, inputRef)}
      className={`${classes.box} ${className ?? ''}`}
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={
        value !== '' && (
          <CloseButton
            size="sm"
            iconSize={16}
            aria-label="Clear search"
            onClick={() => {
              onType('')
              ownRef.current?.focus()
            }}
          />
        )
      }
      value={value}
      maxLength={longestSearch}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter?.()
        // A second press leaves the box.
        if (event.key !== 'Escape' || value === '') return
        event.preventDefault()
        onType('')
      }}
    />
  )
}

type SearchBoxProps = Omit<SearchInputProps, 'value' | 'onType'> & {
  text: string | undefined
  onSearch(text: string | undefined): void
  /** With the text that was last searched for. */
  onEnter?(): void
}

export function SearchBox({ text = '', onSearch, onEnter, ...props }: SearchBoxProps) {
  const [typed, setTyped] = useState(text)
  const [previous, setPrevious] = useState(text)
  if (text !== previous) {
    setPrevious(text)
    if (text !== typed.trim()) setTyped(text)
  }
  const search = useDebouncedCallback((sought: string) => onSearch(sought.trim() || undefined), 250)
  return (
    <SearchInput
      {...props}
      value={typed}
      onType={(sought) => {
        setTyped(sought)
        search(sought)
      }}
      onEnter={() => (search.isPending() ? search.flush() : onEnter?.())}
    />
  )
}
