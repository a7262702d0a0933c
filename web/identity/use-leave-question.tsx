import { List, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

/** Asks before signing out discards unsaved work. Render `dialog`. */
export function useLeaveQuestion(): { ask(leave: () => void): void; dialog: ReactNode } {
  const [pending, setPending] = useState<{ works: string[]; leave(): void } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const dialog = (
    <Confirmation
      title="Unsaved changes"
      isOpen={isOpen}
      stay="Stay"
      onStay={() => setIsOpen(false)}
      go="Sign out without saving"
      onGo={() => {
        setIsOpen(false)
        pending?.leave()
      }}
      isDestructive
    >
      {() => (
        <>
          <Text size="md">Signing out discards these changes:</Text>
          <List mt="sm" size="md">
            {pending?.works.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
    </Confirmation>
  )
  return {
    ask(leave) {
      const works = unsavedWork().map(({ text }) => text)
      if (works.length === 0) return leave()
      setPending({ works, leave })
      setIsOpen(true)
    },
    dialog,
  }
}
