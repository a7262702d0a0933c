import { Kbd } from '@mantine/core'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './shortcut-help.module.css'

type Described = [keys: string[], what: string]

const described = (groups: string): Described[] => [
  [['?'], 'Keyboard shortcuts'],
  [['/', 'Ctrl K'], 'Search the list'],
  [['1', '2', '3'], groups],
  [['F6'], 'Go to the list, details, or map'],
  [['Esc'], 'Close panel or dialog'],
  [['H'], 'Zoom to all land'],
  [['B'], 'Collapse or expand the sidebar'],
  [['↑', '↓', 'Enter'], 'In the list: move, select'],
  [['←', '→', '↑', '↓'], 'On the map: pan'],
  [['+', '−'], 'On the map: zoom'],
]

const tableShortcuts: Described[] = [
  [['←', '→', '↑', '↓'], 'In Map Features: move from cell to cell'],
  [['Enter', 'F2'], 'In a cell: edit; in the first column: open details'],
  [['Enter', 'Tab', '↑', '↓'], 'While editing a cell: save and move'],
  [['Esc'], 'While editing a cell: cancel'],
  [['Ctrl Z'], 'In Map Features: undo your last change'],
  [['Shift Space', 'Ctrl A'], 'In Map Features: select the row or all rows'],
]

type ShortcutHelpProps = {
  groups: string
  isEditor: boolean
  isOpen: boolean
  onClose(): void
}

export function ShortcutHelp({ groups, isEditor, isOpen, onClose }: ShortcutHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {() => (
        <dl className={classes.list}>
          {[...described(groups), ...(isEditor ? tableShortcuts : [])].map(([keys, what]) => (
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
