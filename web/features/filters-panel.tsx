import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { countChoices } from '#domain/features/filter-counts.ts'
import { type Filters, offeredFilters, readFilters } from '#domain/features/filters.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { filterCountsQuery } from '#web/api/features.api.ts'
import { useMay } from '#web/api/use-session.ts'
import classes from './filters-panel.module.css'

type LayersProps = {
  layers: readonly { key: string; label: string }[]
  isVisible: Readonly<Record<string, boolean>>
  onVisibleChange(key: string, isVisible: boolean): void
}

/** Toggles affect only the map, filters also lists and counts. */
export const FiltersPanel = ({
  layers,
  isVisible,
  onVisibleChange,
  ...filters
}: LayersProps & FilterFieldsProps) => (
  <div className={classes.panel}>
    <fieldset className={classes.group}>
      <legend>Layers</legend>
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
      <FilterFields {...filters} />
    </div>
  </div>
)

type FilterFieldsProps = {
  mapId: string
  filters: Filters
  /** Of a list of one kind. */
  kind?: FeatureKind | undefined
  text: string | undefined
  onFiltersChange(filters: Filters): void
}

export function FilterFields({ mapId, filters, kind, text, onFiltersChange }: FilterFieldsProps) {
  const isStaff = useMay('staff', mapId)
  const { data } = useQuery(filterCountsQuery(mapId, text))
  return offeredFilters(kind, isStaff).map(({ name, label, all, choices }) => (
    <FilterSelect
      key={name}
      label={label}
      all={all}
      choices={choices}
      counts={data?.groups && countChoices(data.groups, name, Object.keys(choices), { ...filters, kind })}
      value={filters[name]}
      onChange={(value) => onFiltersChange(readFilters({ ...filters, [name]: value }, isStaff))}
    />
  ))
}

type FilterSelectProps = {
  label: string
  isLabelHidden?: boolean
  all: string
  choices: Readonly<Record<string, string>>
  /** Missing until they are known. */
  counts?: Readonly<Record<string, number>> | null | undefined
  value: string | undefined
  onChange(value: string | undefined): void
}

export const FilterSelect = ({
  label,
  isLabelHidden = false,
  all,
  choices,
  counts,
  value = 'all',
  onChange,
}: FilterSelectProps) => (
  <NativeSelect
    {...(isLabelHidden ? { 'aria-label': label } : { label })}
    value={value}
    data={[
      { value: 'all', label: all },
      ...Object.entries(choices).map(([choice, choiceLabel]) => ({
        value: choice,
        label: counts ? `${choiceLabel} (${formatNumber(counts[choice] ?? 0)})` : choiceLabel,
      })),
    ]}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === 'all' ? undefined : currentTarget.value)
    }
  />
)

type ShowResultsProps = { count: number | undefined; onShow(): void }

/** Closes the filters where they cover the list. */
export const ShowResults = ({ count, onShow }: ShowResultsProps) => (
  <Button className={classes.show} fullWidth onClick={onShow}>
    {count === undefined ? 'Show results' : `Show ${counted(count, 'result')}`}
  </Button>
)
