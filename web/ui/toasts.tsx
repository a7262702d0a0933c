import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Offered, offerUndo, takeOffer, type UndoOffer, useOffers } from './undo-offers.ts'

// Only for the outcome of the user's last action.

const shownMs = 10_000

const toastProps = {
  autoClose: shownMs,
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Close' },
} as const

export function showSuccess(what: string, undoOffer?: UndoOffer) {
  if (!undoOffer) return void notifications.show({ ...toastProps, message: `${what}.` })
  const { dependsOn } = undoOffer
  const offer = offerUndo({
    dependsOn,
    undo() {
      notifications.hide(id)
      undoOffer.undo()
    },
  })
  const id = notifications.show({
    ...toastProps,
    message: (
      <>
        {what}. <UndoButton offer={offer} />
      </>
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
      Undo
    </Anchor>
  )
}

export function showNothingToUndo() {
  notifications.show({ ...toastProps, id: 'nothing-to-undo', autoClose: 3_000, message: 'Nothing to undo.' })
}

export function showError(what: string, error: Error) {
  notifications.show({
    color: 'red',
    ...toastProps,
    title: `${what}.`,
    message: error.message,
  })
}
