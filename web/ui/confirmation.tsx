import { useEffect, useState } from 'react'
import type { ConfirmationProps } from './confirmation-dialog.tsx'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.tsx'

const ConfirmationDialog = lazyPart(() =>
  import('./confirmation-dialog.tsx').then((module) => module.ConfirmationDialog),
)

/** Enter cancels. Loaded with the first question. */
export function Confirmation(props: ConfirmationProps) {
  const { title, isOpen, onStay } = props
  const [wasAsked, setWasAsked] = useState(isOpen)
  if (isOpen && !wasAsked) setWasAsked(true)
  if (!wasAsked) return null
  return (
    <Guard what={`The dialog ‘${title}’`} layout="dialog" waiting={null} onClose={onStay}>
      <ConfirmationDialog {...props} />
    </Guard>
  )
}

/** For a question that must work without a network. */
export function usePreloadedConfirmation(): void {
  useEffect(() => void ConfirmationDialog.preload(), [])
}
