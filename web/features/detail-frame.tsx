import { ActionIcon, Skeleton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { kindLabels } from '#domain/definition/kinds.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { isFocusLost } from '#web/ui/keep-focus.ts'
import { tip } from '#web/ui/tips.tsx'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './detail-panel.module.css'
import { ShapeIcon } from './shape-icon.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

type DetailFrameProps = {
  announcement: string
  onClose(): void
  children: ReactNode
}

/** Takes the focus of a link that was followed to it and is gone. The list on the same page keeps the focus. */
export function DetailFrame({ announcement, onClose, children }: DetailFrameProps) {
  const frameRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isFocusLost()) frameRef.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section ref={frameRef} className={classes.panel} aria-label="Details" tabIndex={-1}>
      <div className={classes.close}>
        <ActionIcon
          {...tip('Close (Esc)')}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Close details"
          onClick={onClose}
        >
          <IconX size={18} />
        </ActionIcon>
      </div>
      <p className={classes.announcement} role="status">
        {announcement}
      </p>
      {children}
    </section>
  )
}

export const DetailContent = ({ children }: { children: ReactNode }) => (
  <div className={classes.content}>{children}</div>
)

type DetailMessageProps = { title: string; headingRef?: Ref<HTMLHeadingElement>; children: ReactNode }

export const DetailMessage = ({ title, headingRef, children }: DetailMessageProps) => (
  <div className={classes.message}>
    <h2 ref={headingRef}>{title}</h2>
    <p>{children}</p>
  </div>
)

type DetailHeaderProps = {
  shown: FeaturePreview
  styleName: 'types' | 'shapes'
  headingRef?: Ref<HTMLHeadingElement>
  controls: ReactNode
}

export function DetailHeader({ shown, styleName, headingRef, controls }: DetailHeaderProps) {
  const { kind, shape, type, status, severity } = shown
  // A newer server may send kinds that this page does not have.
  const isKnown = kind in kindLabels
  const name = shown.name || 'Untitled'
  return (
    <header className={classes.header}>
      {controls && <div className={classes.controls}>{controls}</div>}
      <div className={classes.title}>
        {isKnown && styleName === 'types' && (
          <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} isSelected size={32} />
        )}
        {isKnown && styleName === 'shapes' && <ShapeIcon kind={kind} shape={shape} type={type} size={32} />}
        <div>
          <p className={classes.kind}>
            {isKnown ? kindLabels[kind].one : 'Item'}
            {isKnown && type !== null && ` · ${typeLabel(kind, type)}`}
          </p>
          {shown.name === undefined ? <Skeleton height={20} width={220} /> : <h2 ref={headingRef}>{name}</h2>}
          <p className={classes.brief}>
            {status !== null && <StatusBadge status={status} />}
            {isKnown && kindTraits[kind].hasSeverity && <SeverityBadge severity={severity} />}
          </p>
        </div>
      </div>
    </header>
  )
}
