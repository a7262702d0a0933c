import { Drawer, getDefaultZIndex, Modal } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { createStore } from './external-store.ts'
import { Guard } from './guard.tsx'

type DialogProps = {
  title: string
  isOpen: boolean
  onClose(): void
  size?: 'md' | 'lg'
  /** A click beside it closes it; false where that would be an answer. */
  closesByClickBeside?: boolean
  /** Above any other dialog, which goes on after it. */
  isOnTop?: boolean
  /** Called within the dialog, so that whatever fails in there leaves what lies behind alone. */
  children(): ReactNode
}

/** The one dialog in the middle of the page: a question, a form, a list. */
export function Dialog({
  title,
  isOpen,
  onClose,
  size = 'md',
  closesByClickBeside = true,
  isOnTop = false,
  ...props
}: DialogProps) {
  useEffect(() => (isOpen ? cover() : undefined), [isOpen])
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      // Above what slides in, whichever of them came first to the page.
      zIndex={getDefaultZIndex('modal') + (isOnTop ? 2 : 1)}
      title={title}
      size={size}
      padding="lg"
      centered
      closeOnClickOutside={closesByClickBeside}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // The page has its own banner.
      attributes={{ header: { role: 'none' } }}
      styles={{ title: { fontSize: '16px', fontWeight: 600, lineHeight: 1.3 } }}
    >
      <Guarded onClose={onClose} content={props.children} />
    </Modal>
  )
}

type StageDialogProps = Omit<SideDialogProps, 'from'>

/** Over the whole page, on a dark ground in either theme: for pictures. */
export function StageDialog({ label, isOpen, onClose, children }: StageDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      fullScreen
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': label, 'data-mantine-color-scheme': 'dark' } }}
      styles={{ content: { background: '#101314', color: '#f1f3f2' }, body: { height: '100%' } }}
    >
      <Guarded onClose={onClose} content={children} />
    </Modal>
  )
}

type SideDialogProps = {
  label: string
  isOpen: boolean
  onClose(): void
  /**
   * From the left: a menu, which has its own head. From the bottom: over the whole screen, under its label. From the
   * foot: the same, no higher than what it holds.
   */
  from: 'left' | 'bottom' | 'foot'
  /** As for `Dialog`. */
  children(): ReactNode
}

/** How many dialogs are open in the middle: Escape closes those, not the side dialog behind them. */
const covers = createStore(0)

/** Returns a function that uncovers, after all listeners have received the key that closed the dialog. */
function cover() {
  covers.set(covers.get() + 1)
  return () => void setTimeout(() => covers.set(covers.get() - 1))
}

/** Leaves some of the page visible above it, also on a phone held sideways. */
const atTheFoot = { height: 'auto', maxHeight: '85dvh', borderRadius: '12px 12px 0 0' }

/** The one that slides in, on a phone. */
export function SideDialog({ label, isOpen, onClose, from, children }: SideDialogProps) {
  const isCovered = covers.use() > 0
  const drawerProps =
    from === 'left'
      ? { size: 300, padding: 0, withCloseButton: false, attributes: { content: { 'aria-label': label } } }
      : {
          size: '100%',
          ...(from === 'foot' && { styles: { content: atTheFoot } }),
          title: label,
          // Beside a sheet that covers the screen there is nothing: only while it slides in could a finger be there that
          // has just tapped something else.
          closeOnClickOutside: from === 'foot',
          attributes: { header: { role: 'none' } },
          closeButtonProps: { 'aria-label': 'Close', size: 44, iconSize: 20 },
        }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={!isCovered}
      position={from === 'left' ? 'left' : 'bottom'}
      {...drawerProps}
    >
      <Guarded onClose={onClose} content={children} />
    </Drawer>
  )
}

function Guarded({ content, onClose }: { content(): ReactNode; onClose(): void }) {
  return (
    <Guard what="This dialog" layout="inline" onClose={onClose}>
      <Content of={content} />
    </Guard>
  )
}

/** What stands in a dialog, called within it. */
export const Content = ({ of }: { of(): ReactNode }) => of()
