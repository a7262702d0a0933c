import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { SideDialog } from '#web/ui/dialog.tsx'
import { FiltersIcon, ListPane, PaneFilters, type PaneProps, ResetFilters } from './list-pane.tsx'
import { MapLinks } from './map-links.tsx'
import classes from './phone-sheet.module.css'

const stops = ['peek', 'half', 'full'] as const
type Stop = (typeof stops)[number]
const stopLabels: Record<Stop, string> = { peek: 'small', half: 'half', full: 'full' }

/** Pixels that a drag of the handle must cover to reach the next stop. */
const dragPixels = 40

type PhoneSheetProps = PaneProps & {
  details: ReactNode
  /** Something is done on the map: it gets the room. */
  isToolOn: boolean
}

/** On a phone: the list below the map, at one of three heights; details take the list's place. */
export function PhoneSheet({ details, isToolOn, ...pane }: PhoneSheetProps) {
  const [stopAtRest, setStopAtRest] = useState<Stop>('half')
  const [stopWhileToolOn, setStopWhileToolOn] = useState<Stop>('peek')
  const [areFiltersOpen, setAreFiltersOpen] = useState(false)
  const filtersRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const dragStart = useRef<number | null>(null)
  const detailsStop = details && stopAtRest === 'peek' ? 'half' : stopAtRest
  const stop = isToolOn ? stopWhileToolOn : detailsStop
  const setStop = isToolOn ? setStopWhileToolOn : setStopAtRest
  const { summary } = pane

  function moveBy(steps: number) {
    const index = Math.max(0, Math.min(stops.length - 1, stops.indexOf(stop) + steps))
    setStop(stops[index] ?? 'half')
  }
  function onPointerUp(event: PointerEvent) {
    if (dragStart.current === null) return
    const dragged = dragStart.current - event.clientY
    dragStart.current = null
    if (Math.abs(dragged) >= dragPixels) moveBy(Math.sign(dragged) * (Math.abs(dragged) > 300 ? 2 : 1))
    else setStop(stops[(stops.indexOf(stop) + 1) % stops.length] ?? 'half')
  }

  return (
    <div className={classes.sheet} data-stop={stop}>
      <UnstyledButton
        className={classes.handle}
        aria-label={`List height: ${stopLabels[stop]}. Change it`}
        onPointerDown={(event) => {
          dragStart.current = event.clientY
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerUp={onPointerUp}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') moveBy(1)
          else if (event.key === 'ArrowDown') moveBy(-1)
          else if (event.key === 'Enter' || event.key === ' ')
            setStop(stops[(stops.indexOf(stop) + 1) % stops.length] ?? 'half')
          else return
          event.preventDefault()
        }}
      />
      <div className={classes.body}>
        {/* Below the details it goes on: who closes them is where they were, or where they got to on the map. */}
        <div className={classes.list} data-covered={details !== null || undefined}>
          <header className={classes.header}>
            <div>
              <h1>POA Land Management</h1>
              <p>{summary?.client?.name ?? (summary && 'Sample')}</p>
            </div>
            <div className={classes.filters}>
              <ResetFilters {...pane} focusAfter={filtersRef} />
              <ActionIcon
                ref={filtersRef}
                variant="default"
                size={44}
                onClick={() => setAreFiltersOpen(true)}
              >
                <FiltersIcon {...pane} />
              </ActionIcon>
            </div>
          </header>
          <ListPane {...pane} />
        </div>
        {details !== null && (
          <div className={classes.details}>
            <VisuallyHidden component="h1">POA Land Management</VisuallyHidden>
            {details}
          </div>
        )}
      </div>
      <SideDialog
        label="Layers & Filters"
        from="bottom"
        isOpen={areFiltersOpen}
        onClose={() => setAreFiltersOpen(false)}
      >
        {() => (
          <>
            <div ref={panelRef} className={classes.panel} tabIndex={-1}>
              <PaneFilters {...pane} />
              <ResetFilters {...pane} focusAfter={panelRef} />
            </div>
            <MapLinks mapId={pane.mapId} isViewer={pane.variant.look === 'shapes'} onHelp={pane.onHelp} />
          </>
        )}
      </SideDialog>
    </div>
  )
}
