import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { pathsOf } from '#domain/geometry/borders/corners.ts'
import { lineByArea, lineByDistance } from '#domain/geometry/borders/line-by-area.ts'
import { edgesOf, type Shape, type ShapeGraph, ShapeRefusal } from '#domain/geometry/borders/shape-graph.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { type Cut, cutShape } from './cut-shape.ts'
import { nameOf } from './shape-words.ts'
import classes from './shaping.module.css'
import { SplitPreview } from './split-preview.tsx'

type SplitByAreaProps = {
  isOpen: boolean
  graph: ShapeGraph
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

export function SplitByArea({ isOpen, graph, shape, onClose, onSplit }: SplitByAreaProps) {
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

  function cuts(): Cut[] {
    if (way === 'distance') return [({ geometry }) => lineByDistance(geometry, { meters, bearing })]
    const count = way === 'lots' ? Number(lots) : 2
    const each = way === 'lots' ? total / count : given
    const cut: Cut = ({ geometry }) => lineByArea(geometry, { acres: each, bearing })
    return Array<Cut>(count - 1).fill(cut)
  }
  function outcomeOf(): readonly Shape[] | string {
    if (!isValid || cornersIn(shape) > maxCorners) return []
    try {
      const { rest, added } = cutShape(graph, shape, cuts())
      return [rest, ...added]
    } catch (refusal) {
      if (refusal instanceof ShapeRefusal) return refusal.message
      throw refusal
    }
  }
  const outcome = isOpen ? outcomeOf() : []
  return (
    <Dialog title={`Split ${nameOf(shape)}`} isOpen={isOpen} onClose={onClose}>
      {() => (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (isValid) onSplit(cuts())
          }}
        >
          <p>
            {nameOf(shape)} measures {formatLand(total, readersUnits())}.
          </p>
          <SegmentedControl
            aria-label="Method"
            value={way}
            data={[
              { value: 'acres', label: 'By area' },
              { value: 'lots', label: 'Equal parts' },
              { value: 'distance', label: 'By distance' },
            ]}
            onChange={(value) => setWay(value as Way)}
          />
          {way === 'acres' && (
            <NumberInput
              label="Area"
              data-autofocus
              min={0}
              decimalScale={4}
              placeholder={isMetric ? 'ha' : 'acres'}
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
              placeholder={isMetric ? 'm' : 'ft'}
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
          {typeof outcome === 'string' && <p role="alert">{outcome}</p>}
          {typeof outcome === 'object' && outcome.length > 0 && (
            <SplitPreview whole={shape} pieces={outcome} />
          )}
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isValid || typeof outcome === 'string'}>
              Split
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Splitting a larger shape at each keystroke would delay the page. */
const maxCorners = 2_000

const cornersIn = ({ geometry }: Shape) =>
  pathsOf(geometry).reduce((sum, { corners }) => sum + corners.length, 0)

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
