import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'

// Only for the outcome of what the person has just done.

/** Long enough to read, and to reach for 'Undo'. */
const shownMs = 10_000

const toastProps = {
  autoClose: shownMs,
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Close' },
} as const

export function tellDone(what: string, { undo }: { undo?: () => void } = {}) {
  const id = notifications.show({
    ...toastProps,
    message: undo ? (
      <>
        {what}.{' '}
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          fw={600}
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Anchor>
      </>
    ) : (
      `${what}.`
    ),
  })
}

export function tellFailed(what: string, error: Error) {
  notifications.show({
    color: 'red',
    ...toastProps,
    title: `${what}.`,
    message: error.message,
  })
}
