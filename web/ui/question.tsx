import { useEffect, useState } from 'react'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.tsx'
import type { QuestionProps } from './question-dialog.tsx'

const QuestionDialog = lazyPart(() => import('./question-dialog.tsx').then((module) => module.QuestionDialog))

/** Before something is done that cannot be taken back. Enter, pressed in haste, stays. Loaded when it is first asked. */
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

/** For a question that must be there whatever the network does by then. */
export function useQuestionAhead(): void {
  useEffect(() => void QuestionDialog.preload(), [])
}
