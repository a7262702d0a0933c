import { Kbd } from '@mantine/core'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './shortcut-help.module.css'

type Described = [keys: string[], what: string]

const everywhere: Described[] = [
  [['?'], 'Keyboard shortcuts'],
  [['F6'], 'Go to the list, details, map, or notification'],
  [['Esc'], 'Close panel or dialog'],
  [['B'], 'Collapse or expand the sidebar'],
]

const mapPageShortcuts = (groups: string): Described[] => [
  [['/', 'Ctrl K'], 'Search the list'],
  [['1', '2', '3'], groups],
  [['H'], 'Zoom to all land'],
  [['↑', '↓', 'Enter'], 'In the list: move, select'],
]

const mapShortcuts: Described[] = [
  [['←', '→', '↑', '↓'], 'On the map: pan'],
  [['+', '−'], 'On the map: zoom'],
]

const tableShortcuts: Described[] = [
  [['←', '→', '↑', '↓'], 'In Map Features: move from cell to cell'],
  [['Enter', 'F2'], 'In a cell: edit; in the first column: open details'],
  [['Enter', 'Tab', '↑', '↓'], 'While editing a cell: save and move'],
  [['Esc'], 'While editing a cell: cancel'],
  [['Ctrl Z'], 'In Map Features: undo your last change'],
  [['Ctrl Shift Z'], 'In Map Features: redo it'],
  [['Shift Space', 'Ctrl A'], 'In Map Features: select the row or all rows'],
]

const reportShortcuts: Described[] = [
  [['J', 'K'], 'Select the next or previous report'],
  [['A'], 'Accept'],
  [['R'], 'Reject'],
  [['D', 'Enter'], 'Merge as duplicate: choose the incident, confirm it'],
  [['H'], 'Hide'],
  [['E'], 'Edit; Esc cancels'],
  [['Ctrl Z', 'Ctrl Shift Z'], 'Undo the last decision, redo it'],
]

type ShortcutHelpProps = {
  /** Null in the configuration area, which has no list. */
  groups: string | null
  isEditor: boolean
  isTriage?: boolean
  isOpen: boolean
  onClose(): void
}

export function ShortcutHelp({ groups, isEditor, isTriage = false, isOpen, onClose }: ShortcutHelpProps) {
  const described = [
    ...everywhere,
    ...(groups === null ? [] : mapPageShortcuts(groups)),
    ...mapShortcuts,
    ...(isTriage ? reportShortcuts : isEditor ? tableShortcuts : []),
  ]
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {() => (
        <dl className={classes.list}>
          {described.map(([keys, what]) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  )
}
