import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { lineByArea, lineByDistance } from '#domain/geometry/borders/line-by-area.ts'
import { edgesOf, type Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { nameOf } from './shape-words.ts'
import classes from './shaping.module.css'

/** The line that divides the rest of a shape. */
export type Cut = (shape: Shape) => readonly Position[]

type SplitByAreaProps = {
  isOpen: boolean
  shape: Shape
  onClose(): void
  onSplit(cuts: readonly Cut[]): void
}

const ends = [
  { label: 'North end', bearing: 0 },
  { label: 'Northeast end', bearing: 45 },
  { label: 'East end', bearing: 90 },
  { label: 'Southeast end', bearing: 135 },
  { label: 'South end', bearing: 180 },
  { label: 'Southwest end', bearing: 225 },
  { label: 'West end', bearing: 270 },
  { label: 'Northwest end', bearing: 315 },
] as const

const maxLots = 20

type Way = 'acres' | 'lots' | 'distance'

const ownBearing = 'Another direction'

export function SplitByArea({ isOpen, shape, onClose, onSplit }: SplitByAreaProps) {
  const total = measureAcres(shape.geometry) ?? 0
  const [way, setWay] = useState<Way>('acres')
  const [acres, setAcres] = useState<number | string>('')
  const [lots, setLots] = useState<number | string>(2)
  const [distance, setDistance] = useState<number | string>('')
  const [degrees, setDegrees] = useState<number | string>(0)
  const [end, setEnd] = useState<string>(ends[0].label)
  const directions = [...ends, { label: 'Parallel to the longest border', bearing: acrossLongestEdge(shape) }]
  const bearing = directions.find(({ label }) => label === end)?.bearing ?? Number(degrees)
  const isMetric = readersUnits() === 'metric'
  const given = Number(acres) * (isMetric ? acresPerHectare : 1)
  const meters = Number(distance) * (isMetric ? 1 : metersPerFoot)
  const isValid = { acres: given > 0 && given < total, lots: Number(lots) >= 2, distance: meters > 0 }[way]

  function submit() {
    if (way === 'acres') return onSplit([({ geometry }) => lineByArea(geometry, { acres: given, bearing })])
    if (way === 'distance') return onSplit([({ geometry }) => lineByDistance(geometry, { meters, bearing })])
    const count = Number(lots)
    const each = total / count
    onSplit(
      Array.from(
        { length: count - 1 },
        () =>
          ({ geometry }: Shape) =>
            lineByArea(geometry, { acres: each, bearing }),
      ),
    )
  }
  return (
    <Dialog title={`Split ${nameOf(shape)}`} isOpen={isOpen} onClose={onClose}>
      {() => (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (isValid) submit()
          }}
        >
          <p>
            {nameOf(shape)} measures {formatLand(total, readersUnits())}.
          </p>
          <SegmentedControl
            aria-label="Method"
            value={way}
            data={[
              { value: 'acres', label: 'An area off one end' },
              { value: 'lots', label: 'Equal lots' },
              { value: 'distance', label: 'A distance' },
            ]}
            onChange={(value) => setWay(value as Way)}
          />
          {way === 'acres' && (
            <NumberInput
              label="Area"
              data-autofocus
              min={0}
              decimalScale={4}
              suffix={isMetric ? ' ha' : ' acres'}
              error={given >= total ? 'Must be smaller than the whole' : undefined}
              value={acres}
              onChange={setAcres}
            />
          )}
          {way === 'lots' && (
            <NumberInput
              label="Number of lots"
              min={2}
              max={maxLots}
              allowDecimal={false}
              clampBehavior="strict"
              value={lots}
              onChange={setLots}
            />
          )}
          {way === 'distance' && (
            <NumberInput
              label="Distance"
              min={0}
              decimalScale={3}
              suffix={isMetric ? ' m' : ' ft'}
              value={distance}
              onChange={setDistance}
            />
          )}
          <Select
            label={{ acres: 'Off the', lots: 'Counted from the', distance: 'From the' }[way]}
            data={[...directions.map(({ label }) => label), ownBearing]}
            value={end}
            allowDeselect={false}
            onChange={(value) => value && setEnd(value)}
          />
          {end === ownBearing && (
            <NumberInput
              label="Bearing"
              description="Degrees clockwise from north; the line is at a right angle to it"
              min={0}
              max={360}
              decimalScale={4}
              suffix="°"
              value={degrees}
              onChange={setDegrees}
            />
          )}
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isValid}>
              Split
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const acresPerHectare = 2.471_053_8
const metersPerFoot = 0.3048

/** Degrees clockwise from north, so that the dividing line is parallel to the longest edge. */
function acrossLongestEdge(shape: Shape): number {
  let longest = 0
  let bearing = 0
  for (const { from, to } of edgesOf(shape)) {
    const [perLng, perLat] = scaleAt(from[1])
    const [east, north] = [(to[0] - from[0]) * perLng, (to[1] - from[1]) * perLat]
    const length = Math.hypot(east, north)
    if (length <= longest) continue
    longest = length
    bearing = (Math.atan2(east, north) * 180) / Math.PI + 90
  }
  return bearing
}
