import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Side } from './compare-edits.ts'
import classes from './mine-or-theirs.module.css'

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

type ConflictFieldProps = { label: string; who: ReactNode; theirs: ReactNode; onSettle(side: Side): void }

export function ConflictField({ label, who, theirs, onSettle }: ConflictFieldProps) {
  return (
    <fieldset className={classes.conflict} aria-label={`${label}: mine or theirs?`} data-conflict>
      <MineOrTheirs className={classes.answers} onSettle={onSettle}>
        {who} also changed this to: <b>{theirs ?? 'empty'}</b>
      </MineOrTheirs>
    </fieldset>
  )
}
