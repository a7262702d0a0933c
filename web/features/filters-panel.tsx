import { Checkbox, NativeSelect } from '@mantine/core'
import { type MapFilters, mapFilterNames, mapFilters, readMapFilters } from '#domain/features/filters.ts'
import classes from './filters-panel.module.css'

type FiltersPanelProps = {
  filters: MapFilters
  onFiltersChange(filters: MapFilters): void
  /** What can be switched on and off on the map. */
  layers: readonly { key: string; label: string }[]
  isVisible: Readonly<Record<string, boolean>>
  onVisibleChange(key: string, isVisible: boolean): void
}

/** Toggles act on the map alone; filters on list, counts and map. */
export function FiltersPanel(props: FiltersPanelProps) {
  const { filters, onFiltersChange, layers, isVisible, onVisibleChange } = props
  return (
    <div className={classes.panel}>
      <fieldset className={classes.group}>
        <legend>Layers on the map</legend>
        {layers.map(({ key, label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={isVisible[key] ?? true}
            onChange={(event) => onVisibleChange(key, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <div className={classes.filters}>
        {mapFilterNames.map((name) => {
          const { label, all, choices } = mapFilters[name]
          return (
            <NativeSelect
              key={name}
              label={label}
              value={filters[name] ?? 'all'}
              data={[
                { value: 'all', label: all },
                ...Object.entries(choices).map(([value, ofValue]) => ({ value, label: ofValue })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                onFiltersChange(readMapFilters({ ...filters, [name]: value }))
              }
            />
          )
        })}
      </div>
    </div>
  )
}
