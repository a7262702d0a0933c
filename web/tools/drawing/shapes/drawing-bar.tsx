import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { SmallButton } from '#web/ui/small-button.tsx'
import { ToolActions } from '#web/workspace/tool-actions.tsx'
import classes from '#web/workspace/tool-status.module.css'
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
      {task && (
        <div className={classes.actions}>
          <ToolActions steps={task.isOneStep ? null : task} actions={task.actions} />
        </div>
      )}
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
