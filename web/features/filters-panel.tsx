import { Checkbox, NativeSelect } from '@mantine/core'
import { featureFilters, type MapFilters, mapFilterNames, readMapFilters } from '#domain/features/filters.ts'
import classes from './filters-panel.module.css'

type FiltersPanelProps = {
  filters: MapFilters
  onFiltersChange(filters: MapFilters): void
  layers: readonly { key: string; label: string }[]
  isVisible: Readonly<Record<string, boolean>>
  onVisibleChange(key: string, isVisible: boolean): void
}

/** Toggles affect only the map, filters also lists and counts. */
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
        {mapFilterNames.map((name) => (
          <FilterSelect
            key={name}
            label={featureFilters[name].label}
            all={featureFilters[name].all}
            choices={featureFilters[name].choices}
            value={filters[name]}
            onChange={(value) => onFiltersChange(readMapFilters({ ...filters, [name]: value }))}
          />
        ))}
      </div>
    </div>
  )
}

type FilterSelectProps = {
  label: string
  isLabelHidden?: boolean
  all: string
  choices: Readonly<Record<string, string>>
  value: string | undefined
  onChange(value: string | undefined): void
}

export const FilterSelect = ({
  label,
  isLabelHidden = false,
  all,
  choices,
  value = 'all',
  onChange,
}: FilterSelectProps) => (
  <NativeSelect
    {...(isLabelHidden ? { 'aria-label': label } : { label })}
    value={value}
    data={[
      { value: 'all', label: all },
      ...Object.entries(choices).map(([choice, choiceLabel]) => ({ value: choice, label: choiceLabel })),
    ]}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === 'all' ? undefined : currentTarget.value)
    }
  />
)
