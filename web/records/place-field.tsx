import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconMapPin, IconPolygon, IconVectorSpline } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { ShapeCheck, ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { partsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placeText, readPlace } from '#domain/geometry/read-place.ts'
import { formatList, formatNumber } from '#domain/values/wording.ts'
import { shapeCheckQuery } from '#web/api/features.api.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { type DeviceLocation, readDeviceLocation } from '#web/ui/device-location.ts'
import { formatDistance, formatKilometers, formatLand, inBothUnits } from '#web/ui/measures.ts'
import classes from './place-field.module.css'
import { type Draft, geometryOf, isNew, shapeToCheckOf, withTypedPlace } from './record-draft.ts'
import type { Place } from './use-place.tsx'

type PlaceFieldProps = {
  draft: Draft
  place: Place
  problem: string | undefined
  onChange(draft: Draft): void
}

const shapeWords: Record<
  FeatureShape,
  { label: string; first: string; again: string; Icon: typeof IconMapPin }
> = {
  point: { label: 'Point', first: 'Place on map', again: 'Move on map', Icon: IconMapPin },
  line: { label: 'Line', first: 'Draw on map', again: 'Draw again', Icon: IconVectorSpline },
  polygon: { label: 'Area', first: 'Draw on map', again: 'Draw again', Icon: IconPolygon },
}

export function PlaceField({ draft, place, problem, onChange }: PlaceFieldProps) {
  const isPhone = useIsPhone()
  const size = isPhone ? 'lg' : 'sm'
  const { base, typedPlace } = draft
  const { shape: chosenShape } = base
  const shape = shapeToCheckOf(draft)
  const geometry = geometryOf(draft)
  const { shapes } = definitions[base.kind]
  const { first, again, Icon } = shapeWords[chosenShape]
  const drawRef = useRef<HTMLButtonElement>(null)
  const isNewRecord = isNew(base)
  useEffect(() => {
    // A new record starts at its first field once it has a place.
    if (place.ended > (isNewRecord ? 1 : 0)) drawRef.current?.focus()
  }, [place.ended, isNewRecord])
  const isPoint = chosenShape === 'point' && (geometry === null || geometry.type === 'Point')
  const isPlaced = typedPlace === null || typedPlace.trim() === '' || readPlace(typedPlace) !== null

  return (
    <div className={classes.place}>
      {isNewRecord && shapes.length > 1 && (
        <SegmentedControl
          aria-label="Shape"
          size={size}
          value={chosenShape}
          data={shapes.map((value) => ({ value, label: shapeWords[value].label }))}
          onChange={(chosen) => {
            if (chosen === chosenShape) return
            const cleared = { ...draft, geometry: null, typedPlace: null }
            onChange({ ...cleared, base: { ...base, shape: chosen } })
            place.begin(chosen)
          }}
        />
      )}
      {isPoint ? (
        <TextInput
          label="Coordinates"
          description="Latitude and longitude, such as 42.3736, -71.1097, or a web map link"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          size={size}
          autoComplete="off"
          required={isNewRecord}
          error={problem}
          value={typedPlace ?? (geometry?.type === 'Point' ? placeText(geometry.coordinates) : '')}
          onChange={({ currentTarget: { value } }) => onChange(withTypedPlace(draft, value))}
          onBlur={() => {
            if (typedPlace !== null && isPlaced) onChange({ ...draft, typedPlace: null })
          }}
        />
      ) : (
        <p className={classes.summary} data-problem={problem !== undefined || undefined}>
          {geometry === null ? (problem ?? 'Not drawn yet') : <Size geometry={geometry} />}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          ref={drawRef}
          variant="default"
          size={isPhone ? 'md' : 'xs'}
          leftSection={<Icon size={16} aria-hidden="true" />}
          aria-invalid={!isPoint && problem !== undefined}
          disabled={place.task !== null}
          onClick={() => place.begin(chosenShape)}
        >
          {geometry === null ? first : again}
        </Button>
        {isPoint && (
          <UseMyLocation
            onFound={({ lat, lng }) =>
              onChange({ ...withTypedPlace(draft, placeText([lng, lat])), typedPlace: null })
            }
          />
        )}
        {draft.geometry !== null && !isNew(draft.base) && (
          <Button
            variant="subtle"
            size={isPhone ? 'md' : 'xs'}
            onClick={() => onChange({ ...draft, geometry: null, typedPlace: null })}
          >
            {isPoint ? 'Revert location' : 'Revert shape'}
          </Button>
        )}
      </div>
      {shape && typedPlace === null && <Findings draft={draft} shape={shape} />}
    </div>
  )
}

type UseMyLocationProps = { onFound(location: DeviceLocation): void }

function UseMyLocation({ onFound }: UseMyLocationProps) {
  const isPhone = useIsPhone()
  const [isSearching, setIsSearching] = useState(false)
  const [result, setResult] = useState('')
  // The form may have changed, or be closed, when the location arrives.
  const latest = useRef<typeof onFound>(null)
  useEffect(() => {
    latest.current = onFound
    return () => {
      latest.current = null
    }
  })
  function find() {
    const end = (text: string) => {
      setIsSearching(false)
      setResult(text)
    }
    setIsSearching(true)
    readDeviceLocation({
      onLocation(location) {
        latest.current?.(location)
        end(`Accurate to ${inBothUnits(formatDistance, location.accuracyMeters)}`)
      },
      onProblem: end,
    })
  }
  return (
    <>
      <Button
        variant="default"
        size={isPhone ? 'md' : 'xs'}
        leftSection={<IconCurrentLocation size={16} aria-hidden="true" />}
        loading={isSearching}
        onClick={find}
      >
        Use my location
      </Button>
      <p className={classes.found} role="status">
        {result}
      </p>
    </>
  )
}

function Size({ geometry }: { geometry: Geometry }) {
  const count = partsOfGeometry(geometry).flat().length
  const acres = measureAcres(geometry)
  const parts = geometry.type.startsWith('Multi') ? geometry.coordinates.length : 1
  return (
    <>
      {acres === null ? `Line with ${formatNumber(count)} points` : inBothUnits(formatLand, acres)}
      {parts > 1 && `, ${formatNumber(parts)} parts`}
    </>
  )
}

function Findings({ draft, shape }: { draft: Draft; shape: ShapeToCheck }) {
  const { mapId, kind } = draft.base
  const check = useQuery(shapeCheckQuery(mapId, shape))
  const before = isNew(draft.base) ? null : measureAcres(draft.base.geometry)
  if (!check.data)
    return (
      <p className={classes.finding} role="status">
        {check.isError ? 'Could not check nearby parcels. You can still save.' : 'Checking nearby parcels…'}
      </p>
    )
  const { fault, acres, parcel, neighbors, overlaps, farFromLand, notChecked } = check.data
  if (fault)
    return (
      <p className={classes.fault} role="alert">
        {fault.message}
      </p>
    )
  return (
    <div className={classes.findings} role="status">
      {farFromLand && (
        <p className={classes.warning}>{formatKilometers(farFromLand.kilometers)} from this map’s land</p>
      )}
      {before !== null && acres !== null && (
        <p className={classes.finding}>
          Was {inBothUnits(formatLand, before)}, now {inBothUnits(formatLand, acres)}
        </p>
      )}
      {notChecked !== null ? (
        <p className={classes.finding}>Not checked against other parcels: {notChecked}</p>
      ) : kind === 'parcel' ? (
        <Neighbors neighbors={neighbors} />
      ) : (
        <p className={classes.finding}>{parcel ? `On ${nameOf(parcel)}` : 'Not on a parcel'}</p>
      )}
      {overlaps.length > 0 && (
        <p className={classes.warning}>
          Overlaps {namesOf(overlaps)}:{' '}
          {inBothUnits(
            formatLand,
            overlaps.reduce((sum, overlap) => sum + overlap.acres, 0),
          )}
        </p>
      )}
    </div>
  )
}

function Neighbors({ neighbors }: Pick<ShapeCheck, 'neighbors'>) {
  return (
    <p className={classes.finding}>
      {neighbors.length === 0
        ? 'Shares no corners with other parcels'
        : `Shares corners with ${namesOf(neighbors)}`}
    </p>
  )
}

const nameOf = ({ name }: { name: string }) => name || 'Untitled'

const maxNames = 5

function namesOf(parcels: readonly { name: string }[]): string {
  const named = parcels.slice(0, maxNames).map(nameOf)
  const others = parcels.length - named.length
  return formatList(others === 0 ? named : [...named, `${formatNumber(others)} more`])
}
