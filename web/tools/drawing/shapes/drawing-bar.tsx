import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconX } from '@tabler/icons-react'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from '../../tool-status.module.css'
import type { News, Task } from './task.ts'
import type { History } from './use-history.ts'

type DrawingBarProps = {
  task: Task | null
  news: News | null
  history: History | null
  problem: string | null
  isByKeyboard: boolean
  onForget(): void
}

export function DrawingBar({ task, news, history, problem, isByKeyboard, onForget }: DrawingBarProps) {
  const text = news?.isProblem ? news.text : problem
  const isOpen = task !== null || news !== null || problem !== null
  return (
    <section className={classes.bar} aria-label="Drawing status" data-open={isOpen || undefined}>
      <div className={classes.words}>
        <p role="status">{news && !news.isProblem ? news.text : task?.status}</p>
        {task && task.readout !== '' && <p className={classes.readout}>{task.readout}</p>}
        {task && isByKeyboard && <p>Arrow keys move the map, Enter places, Esc cancels.</p>}
        {text !== null && (
          <p className={classes.problem} role="alert">
            {text}
          </p>
        )}
      </div>
      {task && <Actions task={task} />}
      {news?.hasUndo && history?.canUndo && (
        <SmallButton
          size="compact-sm"
          h={30}
          onClick={() => {
            history.undo()
            onForget()
          }}
        >
          Undo
        </SmallButton>
      )}
      {news && (
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Dismiss" onClick={onForget}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </section>
  )
}

function Actions({ task }: { task: Task }) {
  const { canUndo, canRedo, isOneStep = false, undo, redo, actions } = task
  const steps = [
    { label: 'Undo', keys: 'Ctrl+Z', Icon: IconArrowBackUp, isPossible: canUndo, run: undo },
    { label: 'Redo', keys: 'Ctrl+Shift+Z', Icon: IconArrowForwardUp, isPossible: canRedo, run: redo },
  ]
  return (
    <div className={classes.actions}>
      {!isOneStep && (
        <ActionIcon.Group>
          {steps.map(({ label, keys, Icon, isPossible, run }) => (
            <ActionIcon
              key={label}
              variant="default"
              size={30}
              aria-label={label}
              title={`${label} (${keys})`}
              disabled={!isPossible}
              onClick={run}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
        </ActionIcon.Group>
      )}
      {actions.map(({ label, isDisabled = false, isPrimary = false, run }) => (
        <Button
          key={label}
          size="compact-sm"
          h={30}
          variant={isPrimary ? 'filled' : 'default'}
          disabled={isDisabled}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
