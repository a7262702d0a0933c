import { Button } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { isEqual } from '#domain/values/is-equal.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { MineOrTheirs } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { DashedShapes } from '../shapes/dashed-shapes.tsx'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { nameOf, toShape } from './drawing-shapes.ts'
import classes from './drawings-panel.module.css'
import type { MapStorage } from './map-storage.ts'
import type { Change } from './send-changes.ts'

type DrawingNoticesProps = {
  storage: MapStorage
  unsaved: readonly Change[]
  tab: ShapeStorage
  loading: Error | null
  onReload(): void
}

export function DrawingNotices({ storage, unsaved, tab, loading, onReload }: DrawingNoticesProps) {
  const overtaken = unsaved.flatMap(({ saveError, ...change }) =>
    saveError?.kind === 'overtaken' ? [{ ...change, theirs: saveError.theirs }] : [],
  )
  return (
    <>
      <DashedShapes
        id="other-shapes"
        shapes={overtaken.flatMap(({ theirs }) => (theirs ? [toShape(theirs)] : []))}
      />
      {loading && (
        <div className={classes.notice} role="alert">
          <p>The drawings of this map could not be loaded. {loading.message}</p>
          <Button size="compact-sm" onClick={onReload}>
            Try again
          </Button>
        </div>
      )}
      <Failed storage={storage} unsaved={unsaved} />
      {overtaken.map(({ id, wanted, base, theirs }) => {
        const shape = wanted ?? (base && toShape(base))
        const who = theirs?.updatedBy ?? 'Somebody else'
        return (
          <div key={id} className={classes.notice} role="alert">
            <MineOrTheirs
              className={classes.actions}
              labels={wanted === null ? { mine: 'Delete it anyway', theirs: 'Leave it' } : {}}
              onSettle={(side) => storage.resolveConflict(id, side)}
            >
              <b>{shape ? nameOf(shape) : 'A drawing'}</b>
              {wanted === null ? ', which you delete, ' : ' '}
              was {theirs ? 'changed' : 'deleted'} meanwhile. {theirs && `${who} was quicker. `}
              {theirs ? differences(theirs, wanted) : 'Yours is still on the map here.'}
            </MineOrTheirs>
          </div>
        )
      })}
      <TabOffer storage={storage} tab={tab} />
    </>
  )
}

function differences(
  theirs: NonNullable<Extract<Change['saveError'], { kind: 'overtaken' }>['theirs']>,
  mine: Change['wanted'],
) {
  const name = theirs.name === '' ? 'no name' : `the name ‘${theirs.name}’`
  const note = theirs.note === '' ? 'no note' : `the note ‘${theirs.note}’`
  const isMoved = mine !== null && !isEqual(mine.geometry.coordinates, theirs.geometry.coordinates)
  return `Theirs has ${name} and ${note}${isMoved ? '; its shape is the dashed one' : ''}.`
}

function Failed({ storage, unsaved }: Pick<DrawingNoticesProps, 'storage' | 'unsaved'>) {
  const messages = unsaved.flatMap(({ saveError }) =>
    saveError?.kind === 'failed' ? [saveError.message] : [],
  )
  if (messages.length === 0) return null
  return (
    <div className={classes.notice} role="alert">
      <p>
        {messages.length === 1 ? '1 change is' : `${messages.length.toLocaleString()} changes are`} not saved
        yet. {messages[0]} Nothing is lost: it stays in this tab.
      </p>
      <Button size="compact-sm" onClick={storage.retry}>
        Try again
      </Button>
    </div>
  )
}

function TabOffer({ storage, tab }: Pick<DrawingNoticesProps, 'storage' | 'tab'>) {
  const shapes = useSyncExternalStore(tab.listen, tab.read)
  const [isPutOff, setIsPutOff] = useState(false)
  if (shapes.length === 0 || isPutOff) return null
  return (
    <div className={classes.notice} role="status">
      <p>
        {shapes.length === 1 ? '1 shape' : `${shapes.length.toLocaleString()} shapes`} drawn before you signed
        in {shapes.length === 1 ? 'is' : 'are'} kept in this tab alone.
      </p>
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          onClick={() => {
            storage.create(shapes)
            tab.clear()
          }}
        >
          Save to the map
        </Button>
        <SmallButton size="compact-sm" onClick={() => setIsPutOff(true)}>
          Not now
        </SmallButton>
      </div>
    </div>
  )
}
