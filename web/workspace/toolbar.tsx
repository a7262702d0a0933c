import { ActionIcon } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { tip } from '#web/ui/tips.tsx'
import classes from './toolbar.module.css'

type ToolbarProps = {
  label: string
  folding: {
    label: string
    Icon: TablerIcon
    isInUse: boolean
    isOpen: boolean
    onFold(): void
  } | null
  children: ReactNode
}

export function Toolbar({ label, folding, children }: ToolbarProps) {
  return (
    <div className={classes.tools}>
      {folding && (
        <ActionIcon
          variant={folding.isInUse ? 'filled' : 'default'}
          size={44}
          aria-label={folding.label}
          aria-expanded={folding.isOpen}
          onClick={folding.onFold}
        >
          <folding.Icon size={20} />
        </ActionIcon>
      )}
      {(folding === null || folding.isOpen) && (
        <div className={classes.toolbar} role="toolbar" aria-label={label}>
          {children}
        </div>
      )}
    </div>
  )
}

type ToolButtonProps = {
  label: string
  Icon: TablerIcon
  isPressed?: boolean
  isDisabled?: boolean
  onClick(event: MouseEvent): void
}

export function ToolButton({ label, Icon, isPressed, isDisabled = false, onClick }: ToolButtonProps) {
  return (
    <ActionIcon
      {...tip(label, 'right')}
      variant={isPressed ? 'filled' : 'default'}
      size={36}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon size={18} />
    </ActionIcon>
  )
}
