import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Call, formatCall } from '#domain/deeds/call.ts'
import { readDeed } from '#domain/deeds/read-deed.ts'

type CallFieldProps = { label: string; description?: string; call: Call; onChange(call: Call): void }

/** Applied by Enter or on leaving the field; Escape reverts it. */
export function CallField({ label, description, call, onChange }: CallFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [read, ...others] = typed === null ? [] : readDeed(typed).calls
  const isValid = typed === null || (read !== undefined && others.length === 0)
  function apply() {
    if (typed === null || !isValid) return
    setTyped(null)
    if (read) onChange(read.call)
  }
  // Curves have many words.
  const [Field, size] = call.kind === 'curve' ? [Textarea, { autosize: true }] : [TextInput, {}]
  return (
    <Field
      size="xs"
      {...size}
      aria-label={label}
      title={description}
      value={typed ?? formatCall(call)}
      error={!isValid && 'Not a call, such as N 45°30\'15" E 120.50 ft'}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          apply()
        }
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setTyped(null)
      }}
    />
  )
}
