import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './shaping.module.css'

type NameDialogProps = {
  name: string
  noun: string
  isOpen: boolean
  onClose(): void
  onName(name: string): void
}

/** Names a record that is not saved yet. */
export const NameDialog = ({ noun, isOpen, onClose, ...props }: NameDialogProps) => (
  <Dialog title={`Name of the new ${noun}`} isOpen={isOpen} onClose={onClose}>
    {() => <NameForm {...props} onClose={onClose} />}
  </Dialog>
)

function NameForm({ name: before, onClose, onName }: Omit<NameDialogProps, 'isOpen' | 'noun'>) {
  const [name, setName] = useState(before)
  const isValid = name.trim() !== ''
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) onName(name.trim())
      }}
    >
      <TextInput
        label="Name"
        maxLength={300}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isValid}>
          Apply
        </Button>
      </div>
    </form>
  )
}
