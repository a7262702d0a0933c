import { Kbd } from '@mantine/core'
import { Dialog } from '#web/ui/dialog.tsx'
import classes from './shortcut-help.module.css'

const described = (groups: string): [keys: string[], what: string][] => [
  [['?'], 'These shortcuts'],
  [['/', 'Ctrl K'], 'Search the list'],
  [['1', '2', '3'], groups],
  [['Esc'], 'Close what is open'],
  [['H'], 'Show all of the land'],
  [['B'], 'Collapse or expand the sidebar'],
  [['↑', '↓', 'Enter'], 'In the list: move, select'],
  [['←', '→', '↑', '↓'], 'On the map: pan'],
  [['+', '−'], 'On the map: zoom'],
]

type ShortcutHelpProps = {
  /** What the tabs hold. */
  groups: string
  isOpen: boolean
  onClose(): void
}

export function ShortcutHelp({ groups, isOpen, onClose }: ShortcutHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {() => (
        <dl className={classes.list}>
          {described(groups).map(([keys, what]) => (
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
