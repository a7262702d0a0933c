import { Anchor } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import classes from './toasts.module.css'
import {
  nextTurn,
  type Offered,
  offerUndo,
  type Turn,
  takeOffer,
  type UndoOffer,
  useOffers,
} from './undo-offers.ts'

// Only for the outcome of the user's last action.

const shownMs = 10_000

const toastProps = {
  autoClose: shownMs,
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Close' },
} as const

const maxShown = 4

/** Mantine would let the newest notification wait until an older one closes. */
function show(notification: NotificationData): string {
  const shown = notificationsStore.getState().notifications
  for (const { id } of shown.slice(0, Math.max(0, shown.length - maxShown + 1)))
    if (id) notifications.hide(id)
  for (const id of shownAt.keys()) if (!shown.some((one) => one.id === id)) shownAt.delete(id)
  const id = notifications.show({ ...toastProps, ...notification })
  shownAt.set(id, Date.now())
  return id
}

const shownAt = new Map<string, number>()

/** A message that has just been shown may be about the change of the page. */
const tellsOfPageMs = 2_000

/** Hides messages about the previous page. */
export function leavePage() {
  for (const [id, at] of shownAt) {
    if (Date.now() - at < tellsOfPageMs) continue
    notifications.hide(id)
    shownAt.delete(id)
  }
}

export function showSuccess(what: string, undoOffer?: UndoOffer) {
  if (!undoOffer) return void show({ message: `${what}.` })
  const { dependsOn, after } = undoOffer
  const offer = offerUndo({
    dependsOn,
    after,
    undo() {
      notifications.hide(id)
      undoOffer.undo()
    },
  })
  const id = show({
    message: (
      <span className={classes.message}>
        <span>{what}.</span> <UndoButton offer={offer} />
      </span>
    ),
    onClose() {
      offer.isShown = false
    },
  })
}

function UndoButton({ offer }: { offer: Offered }) {
  if (!useOffers().includes(offer)) return null
  return (
    <Anchor component="button" type="button" fz="inherit" fw={600} onClick={() => takeOffer(offer)}>
      {nextTurn(offer.after) === 'redo' ? 'Redo' : 'Undo'}
    </Anchor>
  )
}

export function showNothingTo(turn: Turn) {
  show({ id: `nothing-to-${turn}`, autoClose: 3_000, message: `Nothing to ${turn}.` })
}

export function showError(what: string, error: Error) {
  show({ color: 'red', title: `${what}.`, message: error.message })
}
