import { Button, Group, List, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { unsavedWork } from '#web/ui/unsaved-work.ts'

/** Asks before a session is ended over what is not saved yet. Whoever stays has lost nothing. */
export function useLeaveQuestion(): { ask(leave: () => void): void; question: ReactNode } {
  const [asked, setAsked] = useState<{ works: string[]; leave(): void } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const question = (
    <Dialog title="Unsaved changes" isOpen={isOpen} onClose={() => setIsOpen(false)}>
      {() => (
        <>
          <Text size="md">Nobody else has these changes yet. Logging out throws them away.</Text>
          <List mt="sm" size="md">
            {asked?.works.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
          <Group justify="flex-end" mt="lg">
            <Button
              variant="default"
              onClick={() => {
                setIsOpen(false)
                asked?.leave()
              }}
            >
              Log out without saving
            </Button>
            <Button data-autofocus onClick={() => setIsOpen(false)}>
              Stay
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
  return {
    ask(leave) {
      const works = unsavedWork().map(({ text }) => text)
      if (works.length === 0) return leave()
      setAsked({ works, leave })
      setIsOpen(true)
    },
    question,
  }
}
