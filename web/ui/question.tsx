import { useEffect, useState } from 'react'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.tsx'
import type { QuestionProps } from './question-dialog.tsx'

const QuestionDialog = lazyPart(() => import('./question-dialog.tsx').then((module) => module.QuestionDialog))

/** Asks before an action that cannot be undone. Enter stays. Loaded with the first question. */
export function Question(props: QuestionProps) {
  const { title, isOpen, onStay } = props
  const [wasAsked, setWasAsked] = useState(isOpen)
  if (isOpen && !wasAsked) setWasAsked(true)
  if (!wasAsked) return null
  return (
    <Guard what={`The question “${title}”`} layout="dialog" waiting={null} onClose={onStay}>
      <QuestionDialog {...props} />
    </Guard>
  )
}

/** For a question that must work without a network. */
export function useQuestionAhead(): void {
  useEffect(() => void QuestionDialog.preload(), [])
}
