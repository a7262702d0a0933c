import { ActionIcon } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { createContext, type MouseEvent, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
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

const ToolbarsContext = createContext<HTMLElement | null>(null)

/** Places the toolbars of the tools in `children` beside each other, at the top left of the map. */
export function Toolbars({ children }: { children: ReactNode }) {
  const [area, setArea] = useState<HTMLElement | null>(null)
  return (
    <ToolbarsContext value={area}>
      <div ref={setArea} className={classes.toolbars} />
      {children}
    </ToolbarsContext>
  )
}

export function Toolbar({ label, folding, children }: ToolbarProps) {
  const area = useContext(ToolbarsContext)
  const toolbar = (
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
  return area ? createPortal(toolbar, area) : toolbar
}

type ToolButtonProps = {
  label: string
  /** A part of `label`, shown beside the icon where there is room. */
  text?: string
  Icon: TablerIcon
  isPressed?: boolean
  isDisabled?: boolean
  onClick(event: MouseEvent): void
}

export function ToolButton({
  label,
  text = label,
  Icon,
  isPressed,
  isDisabled = false,
  onClick,
}: ToolButtonProps) {
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
      <span className={classes.text}>{text}</span>
    </ActionIcon>
  )
}
