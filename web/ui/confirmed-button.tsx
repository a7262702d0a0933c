import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Confirmation } from './confirmation.tsx'

type ConfirmedButtonProps = ButtonProps & {
  'aria-label'?: string
  question: string
  consequence: string
  go: string
  onGo(): void
  children: ReactNode
}

/** Asks before a change that cannot be undone. */
export function ConfirmedButton({ question, consequence, go, onGo, ...props }: ConfirmedButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button variant="default" {...props} onClick={() => setIsAsking(true)} />
      <Confirmation
        title={question}
        isOpen={isAsking}
        stay="Cancel"
        onStay={() => setIsAsking(false)}
        go={go}
        onGo={() => {
          setIsAsking(false)
          onGo()
        }}
        isDestructive
      >
        {() => <p>{consequence}</p>}
      </Confirmation>
    </>
  )
}
