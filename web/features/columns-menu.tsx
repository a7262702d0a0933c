import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { TableColumn } from '#domain/features/table-columns.ts'
import { tip } from '#web/ui/tips.tsx'
import classes from './columns-menu.module.css'
import type { TableColumns } from './use-table-columns.ts'

export function ColumnsMenu({ columns }: { columns: TableColumns }) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="sm">
      <Popover.Target>
        <ActionIcon {...tip('Columns')} variant="default" size={36} aria-label="Columns">
          <IconColumns3 size={18} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <Choices columns={columns} />
        <Button
          variant="subtle"
          size="compact-sm"
          aria-disabled={columns.isStandard}
          data-disabled={columns.isStandard || undefined}
          onClick={columns.reset}
        >
          Standard columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

function Choices({
  columns: { choice, columns, choosable, isFull, toggle, move },
}: {
  columns: TableColumns
}) {
  const listRef = useRef<HTMLUListElement>(null)
  const pressed = useRef<string>(undefined)
  const order = choice.ids.join()
  // Runs only for a new order: rendering while the menu closes must not move the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the order
  useEffect(() => {
    const list = listRef.current
    if (pressed.current === undefined || !list || list.contains(document.activeElement)) return
    list.querySelector<HTMLElement>(`[data-press="${pressed.current}"]`)?.focus()
  }, [order])
  const chosen = columns.filter(({ id }) => choice.ids.includes(id))
  const others = choosable.filter(({ id }) => !choice.ids.includes(id))
  const press = (name: string, then: () => void) => ({
    'data-press': name,
    [name.startsWith('choose') ? 'onChange' : 'onClick']: () => {
      pressed.current = name
      then()
    },
  })
  const moveButton = ({ id, label }: TableColumn, to: number, way: 'up' | 'down') => {
    const isEnd = to < 0 || to >= chosen.length
    const Icon = way === 'up' ? IconArrowUp : IconArrowDown
    return (
      <ActionIcon
        variant="subtle"
        aria-label={`Move ${label} ${way}`}
        aria-disabled={isEnd}
        data-disabled={isEnd || undefined}
        {...press(`${way} ${id}`, () => move(id, to))}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    )
  }
  return (
    <ul ref={listRef} className={classes.list}>
      {[...chosen, ...others].map((column, index) => {
        const { id, label, isRequested } = column
        const isChosen = index < chosen.length
        return (
          <li key={id}>
            <Checkbox
              label={label}
              checked={isChosen}
              disabled={!isChosen && isRequested && isFull}
              {...press(`choose ${id}`, () => toggle(id))}
            />
            {isChosen && moveButton(column, index - 1, 'up')}
            {isChosen && moveButton(column, index + 1, 'down')}
          </li>
        )
      })}
    </ul>
  )
}
