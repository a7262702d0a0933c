import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Content, Dialog } from './dialog.tsx'

export type ConfirmationProps = {
  title: string
  isOpen: boolean
  stay: string
  onStay(): void
  go: string
  onGo(): void
  isGoing?: boolean
  /** The highlighted answer: 'stay' if going loses work. */
  advised: 'stay' | 'go'
  children(): ReactNode
}

export function ConfirmationDialog({
  title,
  isOpen,
  stay,
  onStay,
  go,
  onGo,
  isGoing,
  advised,
  children,
}: ConfirmationProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onStay}>
      {() => (
        <>
          <Content of={children} />
          <Group justify="flex-end" mt="lg">
            {advised === 'go' && (
              <Button variant="default" data-autofocus onClick={onStay}>
                {stay}
              </Button>
            )}
            <Button
              variant={advised === 'go' ? 'filled' : 'default'}
              c={advised === 'go' ? undefined : 'var(--mantine-color-error)'}
              loading={isGoing}
              onClick={onGo}
            >
              {go}
            </Button>
            {advised === 'stay' && (
              <Button data-autofocus onClick={onStay}>
                {stay}
              </Button>
            )}
          </Group>
        </>
      )}
    </Dialog>
  )
}
