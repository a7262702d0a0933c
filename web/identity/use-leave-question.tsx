import { Button, Group, List, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { unsavedWork } from '#web/ui/unsaved-work.ts'

/** Asks before a session is ended over what is not saved yet. Whoever stays has lost nothing. */
export function useLeaveQuestion(): { ask(leave: () => void): void; question: ReactNode } {
  const [asked, setAsked] = useState<{ works: string[]; leave(): void } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const question = (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Unsaved changes" centered>
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
    </Modal>
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
