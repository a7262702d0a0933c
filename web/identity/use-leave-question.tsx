import { List, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Question } from '#web/ui/question.tsx'
import { unsavedWork } from '#web/ui/unsaved-work.ts'

/** Asks before a session is ended over what is not saved yet. Whoever stays has lost nothing. */
export function useLeaveQuestion(): { ask(leave: () => void): void; question: ReactNode } {
  const [asked, setAsked] = useState<{ works: string[]; leave(): void } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const question = (
    <Question
      title="Unsaved changes"
      isOpen={isOpen}
      stay="Stay"
      onStay={() => setIsOpen(false)}
      go="Log out without saving"
      onGo={() => {
        setIsOpen(false)
        asked?.leave()
      }}
      advised="stay"
    >
      {() => (
        <>
          <Text size="md">Nobody else has these changes yet. Logging out throws them away.</Text>
          <List mt="sm" size="md">
            {asked?.works.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
    </Question>
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
