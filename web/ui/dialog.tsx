import { Drawer, getDefaultZIndex, Modal } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './dialog.module.css'
import { createStore } from './external-store.ts'
import { Guard } from './guard.tsx'

type DialogProps = {
  title: string
  isOpen: boolean
  onClose(): void
  size?: 'md' | 'lg'
  /** False if a click outside could be taken for an answer. */
  closesByClickBeside?: boolean
  isOnTop?: boolean
  /** Called within the dialog, so that errors in it leave the page alone. */
  children(): ReactNode
}

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
      // Above side dialogs, whichever opened first.
      zIndex={getDefaultZIndex('modal') + (isOnTop ? 2 : 1)}
      title={title}
      size={size}
      padding="lg"
      centered
      closeOnClickOutside={closesByClickBeside}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // The page has its own banner.
      attributes={{ header: { role: 'none' } }}
      classNames={{ header: classes.header, title: classes.title, body: classes.body }}
    >
      <Guarded onClose={onClose} content={props.children} />
    </Modal>
  )
}

type StageDialogProps = Omit<SideDialogProps, 'from'>

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
   * From the left: a menu with its own header. From the bottom: the whole screen. From the foot: only as high as its
   * content.
   */
  from: 'left' | 'bottom' | 'foot'
  children(): ReactNode
}

/** How many dialogs are open in the middle: Escape closes those, not the side dialog behind them. */
const covers = createStore(0)

/** Returns a function that uncovers, after all listeners have received the key that closed the dialog. */
function cover() {
  covers.set(covers.get() + 1)
  return () => void setTimeout(() => covers.set(covers.get() - 1))
}

export function SideDialog({ label, isOpen, onClose, from, children }: SideDialogProps) {
  const isCovered = covers.use() > 0
  const drawerProps =
    from === 'left'
      ? { size: 300, padding: 0, withCloseButton: false, attributes: { content: { 'aria-label': label } } }
      : {
          size: '100%',
          padding: 'lg',
          classNames: {
            header: classes.header,
            title: classes.title,
            body: classes.body,
            ...(from === 'foot' && { content: classes.foot }),
          },
          title: label,
          // A full-screen dialog has no outside; a click there is one from before it slid in.
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

export const Content = ({ of }: { of(): ReactNode }) => of()
