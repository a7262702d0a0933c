import { Button, Menu } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { counted } from '#domain/values/wording.ts'
import { type ToolAction, ToolActions } from '#web/workspace/tool-actions.tsx'
import status from '#web/workspace/tool-status.module.css'

type ShapeBarProps = {
  text: ReactNode
  readout?: ReactNode
  hint?: string | null | undefined
  problem?: string | null
  /** Warnings while dragging. */
  passing?: ReactNode
  warnings?: readonly { text: string; actions: readonly ToolAction[] }[]
  /** Warnings that are not listed. */
  more?: number
  fields?: ReactNode
  steps?: Parameters<typeof ToolActions>[0]['steps']
  actions: readonly ToolAction[]
  menus?: readonly { label: string; actions: readonly ToolAction[] }[]
  /** Text, readout and menus take the same space, whatever they contain. */
  isSteady?: boolean
}

export function ShapeBar({
  text,
  readout,
  hint,
  problem,
  passing,
  warnings = [],
  more = 0,
  fields,
  steps = null,
  actions,
  menus = [],
  isSteady = false,
}: ShapeBarProps) {
  return (
    <section
      ref={focusOnce}
      tabIndex={-1}
      className={status.bar}
      aria-label="Shape editing"
      data-open
      data-steady={isSteady || undefined}
      data-wide={fields ? true : undefined}
    >
      <div className={status.words}>
        <p role="status" title={isSteady && typeof text === 'string' ? text : undefined}>
          {text}
        </p>
        {hint && <p className={status.hint}>{hint}</p>}
        {(readout || isSteady) && <p className={status.readout}>{readout}</p>}
        {passing}
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
        {fields}
      </div>
      <div className={status.actions}>
        {menus.map(({ label, actions: items }) => (
          <Menu
            key={label}
            position="top-start"
            // A click on the map only closes the menu.
            withOverlay
            overlayProps={{ backgroundOpacity: 0 }}
            // A closed menu lets the next click through.
            transitionProps={{ transition: 'fade', duration: 150, exitDuration: 1 }}
            clickOutsideEvents={['click']}
          >
            <Menu.Target>
              <Button
                size="compact-sm"
                h={30}
                variant="default"
                disabled={items.length === 0}
                rightSection={<IconChevronUp size={14} />}
              >
                {label}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {items.map((item) => (
                <Menu.Item key={item.label} onClick={item.run}>
                  {item.label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ))}
        <ToolActions steps={steps} actions={actions} />
      </div>
    </section>
  )
}

/** From here, the keyboard reaches the actions of the tool. */
function focusOnce(section: HTMLElement | null) {
  section?.focus({ preventScroll: true })
}
