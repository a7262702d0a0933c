import { Slider, Switch } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { maxZoom, minZoom } from '#domain/map-configuration/map-constants.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './configuration-panel.module.css'
import { DegreesInput, FieldGroup, type FieldsProps, UseCurrentView } from './field-group.tsx'
import { boxAround, boxOf } from './find-outside.ts'
import { candidateOf, centerValues, type FormValues, previewOf } from './form-values.ts'

export function PositionFields({ draft, viewport, problemOf, onShowCamera, onShowMap }: FieldsProps) {
  const { values } = draft
  function change(changed: Partial<FormValues>) {
    draft.set(changed)
    const { center } = previewOf(candidateOf({ ...values, ...changed }))
    if (center) onShowCamera({ ...center, zoom: changed.startZoom ?? values.startZoom })
  }
  return (
    <FieldGroup
      title="Position"
      action={
        <UseCurrentView
          for="position"
          onShowMap={onShowMap}
          isReady={viewport !== null}
          onUse={() =>
            viewport &&
            draft.set({
              ...centerValues(viewport.camera),
              startZoom: Number(viewport.camera.zoom.toFixed(2)),
            })
          }
        />
      }
    >
      <div className={classes.pair}>
        <DegreesInput
          label="Latitude"
          limit={90}
          value={values.lat}
          error={problemOf('center.lat')}
          onChange={(lat) => change({ lat })}
        />
        <DegreesInput
          label="Longitude"
          limit={180}
          value={values.lng}
          error={problemOf('center.lng')}
          onChange={(lng) => change({ lng })}
        />
      </div>
      <div className={classes.slider}>
        <div className={classes.sliderLabel}>
          <span>Zoom</span>
          <output>{Number(values.startZoom.toFixed(2))}</output>
        </div>
        <Slider
          min={minZoom}
          max={maxZoom}
          step={1}
          value={values.startZoom}
          marks={[1, 5, 10, 14, 18].map((value) => ({ value, label: value }))}
          thumbLabel="Zoom"
          label={null}
          disabled={draft.isReadOnly}
          onChange={(startZoom) => change({ startZoom })}
        />
      </div>
    </FieldGroup>
  )
}

const sides = [
  { name: 'north', label: 'North', limit: 90 },
  { name: 'east', label: 'East', limit: 180 },
  { name: 'south', label: 'South', limit: 90 },
  { name: 'west', label: 'West', limit: 180 },
] as const

const landWarnings = {
  none: null,
  some: 'Part of the land is outside the bounds. Visitors cannot pan there.',
  all: 'The land is outside the bounds. Visitors cannot pan there.',
} as const

export function BoundsFields({ draft, viewport, problemOf, onShowExtent, onShowMap }: FieldsProps) {
  const { values } = draft
  const fillFromView = () => viewport && draft.setBounds(withinWorld(viewport.extent))
  function propose() {
    const { land, preview } = draft
    // Land across the date line.
    if (land === null || land.west > land.east) return fillFromView()
    draft.setBounds(withinWorld(withMargin(boxAround([land, preview.center ? boxOf(preview.center) : land]))))
  }
  return (
    <FieldGroup
      title="Bounds"
      action={
        <UseCurrentView for="bounds" isReady={viewport !== null} onUse={fillFromView} onShowMap={onShowMap} />
      }
    >
      <Switch
        label="Keep the map within bounds"
        checked={values.hasBounds}
        onChange={(event) => {
          const isWanted = event.currentTarget.checked
          const isBlank = sides.every(({ name }) => values[name] === '')
          if (isWanted && isBlank) propose()
          draft.set({ hasBounds: isWanted })
        }}
      />
      {values.hasBounds && (
        <div className={classes.pair}>
          {sides.map(({ name, label, limit }) => (
            <DegreesInput
              key={name}
              label={label}
              limit={limit}
              value={values[name]}
              error={problemOf(`mapBounds.${name}`)}
              onChange={(value) => draft.set({ [name]: value })}
            />
          ))}
        </div>
      )}
      <div role="status">
        <BoundsWarning draft={draft} onShowExtent={onShowExtent} />
      </div>
    </FieldGroup>
  )
}

/** Only a warning, as the bounds may exclude features on purpose. */
function BoundsWarning({ draft, onShowExtent }: Pick<FieldsProps, 'draft' | 'onShowExtent'>) {
  const { outside, preview, land } = draft
  const landWarning = landWarnings[outside.landOutside]
  if (!outside.isCenterOutside && !landWarning) return null
  const { center, mapBounds } = preview
  const boxes = [mapBounds, land, center && boxOf(center)].filter((box) => box !== null)
  return (
    <div className={classes.warning}>
      <IconAlertTriangle size={16} aria-hidden="true" />
      {outside.isCenterOutside && (
        <p>The center is outside the bounds. The map will open at the edge of the bounds.</p>
      )}
      {landWarning && <p>{landWarning}</p>}
      <SmallButton onClick={() => onShowExtent(boxAround(boxes))}>Show all on map</SmallButton>
    </div>
  )
}

/** A tenth of its size on each side. */
function withMargin({ north, east, south, west }: Bounds): Bounds {
  const [high, wide] = [(north - south) / 10, (east - west) / 10]
  return { north: north + high, east: east + wide, south: south - high, west: west - wide }
}

/** A view of the whole world contains parts of it twice. */
function withinWorld({ north, east, south, west }: Bounds): Bounds {
  return {
    north: Math.min(90, north),
    east: Math.min(180, east),
    south: Math.max(-90, south),
    west: Math.max(-180, west),
  }
}
