import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Side } from './compare-edits.ts'

type MineOrTheirsProps = {
  children: ReactNode
  className?: string | undefined
  labels?: Partial<Record<Side, string>>
  onSettle(side: Side): void
}

export function MineOrTheirs({ children, className, labels, onSettle }: MineOrTheirsProps) {
  const { mine, theirs } = { mine: 'Keep mine', theirs: 'Take theirs', ...labels }
  return (
    <>
      <p>{children}</p>
      <div className={className}>
        <Button size="compact-sm" variant="default" onClick={() => onSettle('mine')}>
          {mine}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onSettle('theirs')}>
          {theirs}
        </Button>
      </div>
    </>
  )
}
