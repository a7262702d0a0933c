import { useState } from 'react'
import type { ParcelsAsOf } from '#domain/features/parcels-as-of.schema.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { DateInput } from '#web/ui/date-input.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { today } from '#web/ui/time-zone.ts'
import { TimeZoneNote } from '#web/ui/time-zone-note.tsx'
import classes from './land.module.css'
import { isFuture, useEarlierLand } from './use-earlier-land.ts'

export type EarlierLandProps = {
  mapId: string
  extent: Bounds | null
  /** YYYY-MM-DD or YYYY-MM-DDTHH:mm; undefined if no earlier land is shown. */
  asOf: string | undefined
  onAsOf(asOf: string | undefined): void
  onShow(extent: Bounds): void
}

/** The parcels of the map's view as of a day or time. Their shapes are drawn by `LandLayers`. */
export function EarlierLand({ mapId, extent, asOf, onAsOf, onShow }: EarlierLandProps) {
  const { data, error, isFetching } = useEarlierLand(mapId, asOf, extent)
  const [shownDay = '', time = ''] = asOf?.split('T') ?? []
  const [shown, setShown] = useState(asOf)
  const [day, setDay] = useState(shownDay)
  if (shown !== asOf) {
    setShown(asOf)
    // Parts that the user types stay.
    if (asOf !== undefined || isPlausible(day)) setDay(shownDay)
  }
  function show(text: string, at = time) {
    setDay(text)
    onAsOf(isPlausible(text) ? withTime(text, at) : undefined)
  }
  const hasError = asOf !== undefined && isFuture(asOf)
  return (
    <section aria-label="Earlier land">
      <h2>Earlier land</h2>
      <p className={classes.what}>
        Names and shapes of parcels at the end of a day, or at a time, for the area on the map.
      </p>
      <div className={classes.asOf}>
        <DateInput
          type="date"
          label="As of"
          value={day}
          max={today()}
          error={hasError && 'Choose a time that is not in the future'}
          onChange={(text) => show(text)}
        />
        <DateInput
          type="time"
          label="Time (optional)"
          disabled={!isPlausible(day)}
          value={time}
          onChange={(text) => show(day, text)}
        />
        {asOf !== undefined && <SmallButton onClick={() => show('')}>Show current land only</SmallButton>}
      </div>
      <TimeZoneNote />
      {error && (
        <p className={classes.problem} role="alert">
          {error.message}
        </p>
      )}
      {asOf !== undefined && !hasError && data && (
        <>
          <p role="status">{isFetching ? 'Loading…' : summaryOf(data)}</p>
          <EarlierParcels items={data.items} onShow={onShow} />
        </>
      )}
    </section>
  )
}

/** While a year is typed, it is 0002, 0020 and 0202 first. */
const isPlausible = (day: string) => /^(1[5-9]|2\d)\d\d-\d\d-\d\d$/.test(day)

const withTime = (day: string, time: string) => (/^\d\d:\d\d/.test(time) ? `${day}T${time.slice(0, 5)}` : day)

function summaryOf({ items, added, isComplete }: ParcelsAsOf): string {
  if (!isComplete) return 'Too many parcels, or changes of them, in this area. Zoom in to see them.'
  const count = (since: string) => items.filter((item) => item.since === since).length
  const parts = [
    [count('changed'), 'changed'],
    [count('removed'), 'removed'],
    [added, 'added'],
  ] as const
  const changes = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${formatNumber(number)} ${what}`)
  const since = changes.length > 0 ? `Since then: ${changes.join(', ')}.` : 'Nothing has changed since.'
  return `${counted(items.length, 'parcel')}. ${since}`
}

const rowsAtOnce = 50

const sinceWords = { same: null, changed: 'changed since', removed: 'removed since' }

function EarlierParcels({ items, onShow }: Pick<ParcelsAsOf, 'items'> & Pick<EarlierLandProps, 'onShow'>) {
  const [shown, setShown] = useState(rowsAtOnce)
  const order = ['removed', 'changed', 'same']
  const sorted = items.toSorted(
    (one, other) =>
      order.indexOf(one.since) - order.indexOf(other.since) ||
      one.name.localeCompare(other.name, 'en', { numeric: true }),
  )
  if (sorted.length === 0) return null
  return (
    <>
      <ul className={classes.rows}>
        {sorted.slice(0, shown).map(({ id, name, geometry, since }) => {
          const acres = measureAcres(geometry)
          const facts = [acres === null ? null : formatLand(acres, readersUnits()), sinceWords[since]]
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.place}
                title="Show on the map"
                onClick={() => onShow(extentOfGeometry(geometry))}
              >
                <b>{name || 'Untitled'}</b> {facts.filter((fact) => fact !== null).join(' · ')}
              </button>
            </li>
          )
        })}
      </ul>
      {shown < sorted.length && (
        <SmallButton onClick={() => setShown(shown + rowsAtOnce)}>
          Show more ({formatNumber(sorted.length - shown)})
        </SmallButton>
      )}
    </>
  )
}
