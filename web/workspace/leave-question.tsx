import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { Question, useQuestionAhead } from '#web/ui/question.tsx'

type Words = { title: string; text: string; go: string }

type LeaveQuestionProps = {
  /** What to ask on the way from one path to another; null where nothing is lost by it. */
  wordsFor(path: { from: string; to: string }): Words | null
  /** The person leaves all the same. */
  onLeave?(): void
}

/** Asks before what is unsaved is left behind on the way to another page. */
export function LeaveQuestion({ wordsFor, onLeave }: LeaveQuestionProps) {
  useQuestionAhead()
  const [words, setWords] = useState<Words | null>(null)
  const { proceed, reset, status } = useBlocker({
    // What else the address tells changes meanwhile: the camera above all.
    shouldBlockFn({ current, next }) {
      if (next.pathname === current.pathname) return false
      const asked = wordsFor({ from: current.pathname, to: next.pathname })
      if (asked) setWords(asked)
      return asked !== null
    },
    // The page asks for everything that is unsaved.
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <Question
      title={words?.title ?? ''}
      isOpen={status === 'blocked'}
      stay="Stay"
      onStay={() => reset?.()}
      go={words?.go ?? ''}
      onGo={() => {
        onLeave?.()
        proceed?.()
      }}
      advised="stay"
    >
      {() => <Text size="md">{words?.text}</Text>}
    </Question>
  )
}
