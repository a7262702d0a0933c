import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'

export type Steps = { canUndo: boolean; canRedo: boolean; undo(): void; redo(): void }

export type ToolAction = { label: string; isDisabled?: boolean; isPrimary?: boolean; run(): void }

/** In the status bar of a tool. `steps` is null for a tool without undo. */
export function ToolActions({ steps, actions }: { steps: Steps | null; actions: readonly ToolAction[] }) {
  const undoAndRedo = steps
    ? [
        { label: 'Undo', keys: 'Ctrl+Z', Icon: IconArrowBackUp, isPossible: steps.canUndo, run: steps.undo },
        {
          label: 'Redo',
          keys: 'Ctrl+Shift+Z',
          Icon: IconArrowForwardUp,
          isPossible: steps.canRedo,
          run: steps.redo,
        },
      ]
    : []
  return (
    <>
      {undoAndRedo.length > 0 && (
        <ActionIcon.Group>
          {undoAndRedo.map(({ label, keys, Icon, isPossible, run }) => (
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
    </>
  )
}
