import { Button, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import classes from './shown-secret.module.css'

export function ShownSecret({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [status, setStatus] = useState('')
  async function copy() {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setStatus('Copied')
    } catch {
      // The clipboard needs HTTPS.
      setStatus('Could not copy. The text is selected: copy it with your keyboard.')
    }
  }
  return (
    <>
      <div className={classes.secret}>
        <TextInput
          ref={field}
          label={label}
          value={value}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p className={classes.status} role="status">
        {status}
      </p>
    </>
  )
}
