import { Drawer, getDefaultZIndex, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useId } from 'react'
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
  /** Read when the dialog opens. */
  intro?: () => ReactNode
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
  intro,
  ...props
}: DialogProps) {
  const id = useId()
  useEffect(() => (isOpen ? cover() : undefined), [isOpen])
  return (
    <Modal
      id={id}
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
      attributes={{ header: { role: 'none' }, body: bodyOf(id) }}
      classNames={{ header: classes.header, title: classes.title, body: classes.body }}
    >
      <Guarded id={id} onClose={onClose} intro={intro} content={props.children} />
    </Modal>
  )
}

type StageDialogProps = Omit<SideDialogProps, 'from'>

export function StageDialog({ label, isOpen, onClose, children }: StageDialogProps) {
  const id = useId()
  return (
    <Modal
      id={id}
      opened={isOpen}
      onClose={onClose}
      fullScreen
      padding={0}
      withCloseButton={false}
      attributes={{
        content: { 'aria-label': label, 'data-mantine-color-scheme': 'dark' },
        body: bodyOf(id),
      }}
      styles={{ content: { background: '#101314', color: '#f1f3f2' }, body: { height: '100%' } }}
    >
      <Guarded id={id} onClose={onClose} content={children} />
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
  const id = useId()
  const isCovered = covers.use() > 0
  const drawerProps =
    from === 'left'
      ? {
          size: 300,
          padding: 0,
          withCloseButton: false,
          attributes: { content: { 'aria-label': label }, body: bodyOf(id) },
        }
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
          attributes: { header: { role: 'none' }, body: bodyOf(id) },
          closeButtonProps: { 'aria-label': 'Close', size: 44, iconSize: 20 },
        }
  return (
    <Drawer
      id={id}
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={!isCovered}
      position={from === 'left' ? 'left' : 'bottom'}
      {...drawerProps}
    >
      <Guarded id={id} onClose={onClose} content={children} />
    </Drawer>
  )
}

/** Mantine describes a dialog by its body, which may be a whole form. Only the introduction takes the id of the body. */
const bodyOf = (id: string) => ({ id: `${id}-content` })

type GuardedProps = {
  id: string
  intro?: (() => ReactNode) | undefined
  content(): ReactNode
  onClose(): void
}

function Guarded({ id, intro, content, onClose }: GuardedProps) {
  return (
    <Guard what="This dialog" layout="inline" onClose={onClose}>
      <div id={`${id}-body`}>{intro && <Content of={intro} />}</div>
      <Content of={content} />
    </Guard>
  )
}

const Content = ({ of }: { of(): ReactNode }) => of()
