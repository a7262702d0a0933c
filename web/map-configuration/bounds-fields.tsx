import { Switch } from '@mantine/core'
import classes from './configuration-panel.module.css'
import type { FieldsProps } from './configuration-panel.tsx'
import { DegreesInput } from './degrees-input.tsx'
import { FieldGroup } from './field-group.tsx'
import { UseCurrentView } from './use-current-view.tsx'

const sides = [
  { name: 'north', label: 'North', limit: 90 },
  { name: 'east', label: 'East', limit: 180 },
  { name: 'south', label: 'South', limit: 90 },
  { name: 'west', label: 'West', limit: 180 },
] as const

/** How far the map can be moved. The map beside the panel shows it as a dashed frame. */
export function BoundsFields({ draft, viewport, problemOf }: FieldsProps) {
  const { values } = draft
  const fillFromView = () => viewport && draft.setBounds(viewport.extent)
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
          // Switched on for the first time, they begin with what is in view.
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
    </FieldGroup>
  )
}
