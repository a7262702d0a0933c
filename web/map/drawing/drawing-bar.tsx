import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconX } from '@tabler/icons-react'
import type { Activity } from './activity.ts'
import classes from './drawing-bar.module.css'
import type { FileNews } from './use-shape-files.ts'

type DrawingBarProps = {
  activity: Activity | null
  news: FileNews | null
  problem: string | null
  onForget(): void
}

/** What to do next, how large it is by now, and what can be done about it. */
export function DrawingBar({ activity, news, problem, onForget }: DrawingBarProps) {
  const trouble = news?.isProblem ? news.text : problem
  const isOpen = activity !== null || news !== null || problem !== null
  return (
    <section className={classes.bar} aria-label="Drawing status" data-open={isOpen || undefined}>
      <p role="status">{news && !news.isProblem ? news.text : activity?.status}</p>
      {activity && (
        <>
          {activity.readout !== '' && <p className={classes.readout}>{activity.readout}</p>}
          <div className={classes.actions}>
            <ActionIcon.Group>
              <ActionIcon
                variant="default"
                size={30}
                aria-label="Undo"
                title="Undo (Ctrl+Z)"
                disabled={!activity.canUndo}
                onClick={activity.undo}
              >
                <IconArrowBackUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size={30}
                aria-label="Redo"
                title="Redo (Ctrl+Shift+Z)"
                disabled={!activity.canRedo}
                onClick={activity.redo}
              >
                <IconArrowForwardUp size={16} />
              </ActionIcon>
            </ActionIcon.Group>
            {activity.actions.map(({ label, isDisabled = false, isPrimary = false, run }) => (
              <Button
                key={label}
                size="compact-sm"
                variant={isPrimary ? 'filled' : 'default'}
                disabled={isDisabled}
                onClick={run}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
      {trouble !== null && (
        <p className={classes.problem} role="alert">
          {trouble}
        </p>
      )}
      {news && (
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Close message" onClick={onForget}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </section>
  )
}
