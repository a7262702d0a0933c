import { ActionIcon, UnstyledButton } from '@mantine/core'
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { rem, useIsLow } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { ContactOfAssociation } from './association.tsx'
import { FiltersIcon, ListPane, PaneFilters, type PaneProps, ResetFilters, ShowFound } from './list-pane.tsx'
import classes from './phone-sheet.module.css'
import { peekPixels, type Rest, rests, useSheetMotion } from './use-sheet-motion.ts'

const restLabels: Record<Rest, string> = { peek: 'small', half: 'half', full: 'full' }

type PhoneSheetProps = PaneProps & {
  details: ReactNode
  isToolOn: boolean
}

export function PhoneSheet({ isToolOn, details, ...pane }: PhoneSheetProps) {
  const isLow = useIsLow()
  const content = <Content {...pane} details={details} />
  return isLow ? (
    <aside className={classes.beside} aria-label="Sidebar" data-tool-on={isToolOn || undefined}>
      {content}
    </aside>
  ) : (
    <Sheet isToolOn={isToolOn}>{content}</Sheet>
  )
}

function Sheet({ isToolOn, children }: { isToolOn: boolean; children: ReactNode }) {
  const [chosen, setChosen] = useState<Rest>('half')
  const [chosenWhileToolOn, setChosenWhileToolOn] = useState<Rest>('peek')
  const rest = isToolOn ? chosenWhileToolOn : chosen
  const setRest = isToolOn ? setChosenWhileToolOn : setChosen
  const sheetRef = useRef<HTMLDivElement>(null)
  const { settled, handlers } = useSheetMotion({ sheetRef, rest, onRest: setRest })
  const index = rests.indexOf(rest)
  // The map grows at once, and shrinks after the sheet has settled.
  const room = rests[Math.min(index, rests.indexOf(settled))]

  return (
    <div
      className={classes.room}
      data-room={room}
      style={{ '--peek-height': rem(peekPixels) } as CSSProperties}
    >
      <div ref={sheetRef} className={classes.sheet} data-stop={rest} {...handlers}>
        <UnstyledButton
          className={classes.handle}
          data-handle
          aria-label={`Change list height (now ${restLabels[rest]})`}
          onClick={() => setRest(rests[(index + 1) % rests.length] ?? rest)}
          onKeyDown={(event) => {
            const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            setRest(rests[index + step] ?? rest)
          }}
        />
        <div className={classes.body}>{children}</div>
      </div>
    </div>
  )
}

function Content({ details, ...pane }: PaneProps & { details: ReactNode }) {
  const isLow = useIsLow()
  const [areFiltersOpen, setAreFiltersOpen] = useState(false)
  const listRef = useRef<HTMLDivElement>(null)
  const detailsRef = useRef<HTMLDivElement>(null)
  const isCovered = details !== null
  // The covered list, or the closed details, would lose the focus to the page.
  const wasCovered = useRef(isCovered)
  useLayoutEffect(() => {
    if (wasCovered.current === isCovered) return
    wasCovered.current = isCovered
    const { activeElement } = document
    if (isCovered && listRef.current?.contains(activeElement)) detailsRef.current?.focus()
    if (!isCovered && activeElement === document.body)
      listRef.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true })
  }, [isCovered])
  return (
    <>
      {/* Stays mounted below the details, to keep its scroll position. */}
      <div ref={listRef} className={classes.list} data-covered={isCovered || undefined}>
        <ListPane
          {...pane}
          buttons={
            <div className={classes.filters}>
              <ResetFilters {...pane} />
              {/* Else a tab has the filters. */}
              {(isLow || !pane.variant.hasFiltersTab) && (
                <ActionIcon variant="default" size={44} onClick={() => setAreFiltersOpen(true)}>
                  <FiltersIcon {...pane} />
                </ActionIcon>
              )}
            </div>
          }
        />
        <ContactOfAssociation client={pane.summary?.client} />
      </div>
      {isCovered && (
        <div ref={detailsRef} tabIndex={-1} className={classes.details}>
          {details}
        </div>
      )}
      <SideDialog
        label="Layers & Filters"
        from="bottom"
        isOpen={areFiltersOpen}
        onClose={() => setAreFiltersOpen(false)}
      >
        {() => (
          <div className={classes.panel}>
            <PaneFilters {...pane} />
            <ResetFilters {...pane} />
            <ShowFound {...pane} onShow={() => setAreFiltersOpen(false)} />
          </div>
        )}
      </SideDialog>
    </>
  )
}
