import { Switch } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './configuration-panel.module.css'
import { DegreesInput, FieldGroup, type FieldsProps, UseCurrentView } from './field-group.tsx'
import { boxAround, boxOf } from './find-outside.ts'

const sides = [
  { name: 'north', label: 'North', limit: 90 },
  { name: 'east', label: 'East', limit: 180 },
  { name: 'south', label: 'South', limit: 90 },
  { name: 'west', label: 'West', limit: 180 },
] as const

const landWarnings = {
  none: null,
  some: 'Part of the land lies outside of the bounds: the map cannot be moved there.',
  all: 'The land lies outside of the bounds: the map cannot be moved there.',
} as const

export function BoundsFields({ draft, viewport, problemOf, onShowExtent }: FieldsProps) {
  const { values } = draft
  const fillFromView = () => viewport && draft.setBounds(withinWorld(viewport.extent))
  return (
    <FieldGroup
      title="Bounds"
      action={<UseCurrentView for="bounds" isReady={viewport !== null} onUse={fillFromView} />}
    >
      <Switch
        label="Keep the map within bounds"
        checked={values.hasBounds}
        onChange={(event) => {
          const isWanted = event.currentTarget.checked
          const isBlank = sides.every(({ name }) => values[name] === '')
          if (isWanted && isBlank) fillFromView()
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
        <p>The center lies outside of the bounds: the map will open at their edge.</p>
      )}
      {landWarning && <p>{landWarning}</p>}
      <SmallButton onClick={() => onShowExtent(boxAround(boxes))}>Show all of it on the map</SmallButton>
    </div>
  )
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
