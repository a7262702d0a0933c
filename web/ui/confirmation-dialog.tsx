import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FormFooter } from './form-frame.tsx'

export type ConfirmationProps = {
  title: string
  isOpen: boolean
  stay: string
  onStay(): void
  go: string
  onGo(): void
  isGoing?: boolean
  /** Whether going removes something or loses work. */
  isDestructive?: boolean
  children(): ReactNode
}

export function ConfirmationDialog(props: ConfirmationProps) {
  const { title, isOpen, stay, onStay, go, onGo, isGoing, isDestructive, children } = props
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onStay} intro={children}>
      {() => (
        <FormFooter>
          <Button variant="default" data-autofocus onClick={onStay}>
            {stay}
          </Button>
          <Button color={isDestructive ? 'red.9' : undefined} loading={isGoing} onClick={onGo}>
            {go}
          </Button>
        </FormFooter>
      )}
    </Dialog>
  )
}
