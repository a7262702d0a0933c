import { Button, Menu } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { counted } from '#domain/values/wording.ts'
import { type ToolAction, ToolActions } from '#web/workspace/tool-actions.tsx'
import status from '#web/workspace/tool-status.module.css'

type ShapeBarProps = {
  text: ReactNode
  readout?: ReactNode
  problem?: string | null
  warnings?: readonly { text: string; actions: readonly ToolAction[] }[]
  /** Warnings that are not listed. */
  more?: number
  steps?: Parameters<typeof ToolActions>[0]['steps']
  actions: readonly ToolAction[]
  menu?: readonly ToolAction[]
}

export function ShapeBar({
  text,
  readout,
  problem,
  warnings = [],
  more = 0,
  steps = null,
  actions,
  menu = [],
}: ShapeBarProps) {
  return (
    <section ref={focusOnce} tabIndex={-1} className={status.bar} aria-label="Shape editing" data-open>
      <div className={status.words}>
        <p role="status">{text}</p>
        {readout && <p className={status.readout}>{readout}</p>}
        {warnings.map((warning) => (
          <p key={warning.text} className={status.problem}>
            {warning.text}{' '}
            {warning.actions.map(({ label, run }) => (
              <Button key={label} size="compact-xs" variant="default" mr={4} onClick={run}>
                {label}
              </Button>
            ))}
          </p>
        ))}
        {more > 0 && <p className={status.problem}>and {counted(more, 'more problem')}</p>}
        {problem && (
          <p className={status.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className={status.actions}>
        {menu.length > 0 && (
          <Menu position="top-start" withinPortal>
            <Menu.Target>
              <Button size="compact-sm" h={30} variant="default" rightSection={<IconChevronUp size={14} />}>
                More
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {menu.map(({ label, run }) => (
                <Menu.Item key={label} onClick={run}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <ToolActions steps={steps} actions={actions} />
      </div>
    </section>
  )
}

/** From here, the keyboard reaches the actions of the tool. */
function focusOnce(section: HTMLElement | null) {
  section?.focus({ preventScroll: true })
}
