import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { Activity } from './activity.ts'
import classes from './drawing-bar.module.css'

type DrawingBarProps = { activity: Activity | null; problem: string | null }

/** What to do next, how large it is by now, and what can be done about it. */
export function DrawingBar({ activity, problem }: DrawingBarProps) {
  return (
    <section className={classes.bar} aria-label="Drawing status" data-open={isOpen(activity, problem)}>
      <p role="status">{activity?.status}</p>
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
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

function isOpen(activity: Activity | null, problem: string | null): true | undefined {
  return activity !== null || problem !== null || undefined
}
