import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Content, Dialog } from './dialog.tsx'

export type QuestionProps = {
  title: string
  isOpen: boolean
  /** The way back, also by closing the question: nothing has changed. */
  stay: string
  onStay(): void
  go: string
  onGo(): void
  isGoing?: boolean
  /** The answer that stands out: staying, where going loses what somebody has made. */
  advised: 'stay' | 'go'
  /** As for `Dialog`. */
  children(): ReactNode
}

/** See `Question`. */
export function QuestionDialog({
  title,
  isOpen,
  stay,
  onStay,
  go,
  onGo,
  isGoing,
  advised,
  children,
}: QuestionProps) {
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
            <Button variant={advised === 'go' ? 'filled' : 'default'} loading={isGoing} onClick={onGo}>
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
