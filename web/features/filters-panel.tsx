import { Checkbox, NativeSelect } from '@mantine/core'
import { assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import { type TimeRange, timeRangeLabels, timeRanges } from '#domain/features/filters.ts'
import { incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'
import classes from './filters-panel.module.css'

/** Undefined is 'all' (section 9 of the specification, 'Filters'). */
export type Filters = {
  incidents: (typeof incidentTypes)[number] | undefined
  assets: (typeof assetTypes)[number] | undefined
  time: Exclude<TimeRange, 'all'> | undefined
}

type FiltersPanelProps = {
  filters: Filters
  onFiltersChange(filters: Filters): void
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
        <NativeSelect
          label="Incident type"
          value={filters.incidents ?? 'all'}
          data={[
            { value: 'all', label: 'All incidents' },
            ...incidentTypes.map((value) => ({ value, label: incidentTypeLabels[value] })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onFiltersChange({ ...filters, incidents: incidentTypes.find((type) => type === value) })
          }
        />
        <NativeSelect
          label="Asset type"
          value={filters.assets ?? 'all'}
          data={[
            { value: 'all', label: 'All assets' },
            ...assetTypes.map((value) => ({ value, label: assetTypeLabels[value] })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onFiltersChange({ ...filters, assets: assetTypes.find((type) => type === value) })
          }
        />
        <NativeSelect
          label="Time range"
          value={filters.time ?? 'all'}
          data={timeRanges.map((value) => ({ value, label: timeRangeLabels[value] }))}
          onChange={({ currentTarget: { value } }) => {
            const range = timeRanges.find((candidate) => candidate === value)
            onFiltersChange({ ...filters, time: range === 'all' ? undefined : range })
          }}
        />
      </div>
    </div>
  )
}
