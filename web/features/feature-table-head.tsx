import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { FeatureSort, FeatureSortColumn } from '#domain/features/feature-sort.ts'
import classes from './feature-table.module.css'

const columns: readonly { column: FeatureSortColumn; label: string }[] = [
  { column: 'kind', label: 'Kind' },
  { column: 'name', label: 'Name' },
  { column: 'type', label: 'Type' },
  { column: 'status', label: 'Status' },
  { column: 'date', label: 'Date' },
  { column: 'parcel', label: 'Parcel' },
]

type FeatureTableHeadProps = {
  sort: FeatureSort | undefined
  hasActions: boolean
  onSort(sort: FeatureSort | undefined): void
}

/** A press sorts up, the next one down, the third leaves it to the list order. */
export function FeatureTableHead({ sort, hasActions, onSort }: FeatureTableHeadProps) {
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1}>
        {columns.map(({ column, label }) => {
          const direction = directionOf(sort, column)
          const Icon = icons[direction]
          return (
            <th key={column} scope="col" aria-sort={direction} data-column={column}>
              <UnstyledButton className={classes.sort} onClick={() => onSort(next(column, direction))}>
                {label}
                <Icon size={14} aria-hidden="true" data-idle={direction === 'none' || undefined} />
              </UnstyledButton>
            </th>
          )
        })}
        {hasActions && (
          <th scope="col" data-column="actions">
            Change
          </th>
        )}
      </tr>
    </thead>
  )
}

type Direction = 'ascending' | 'descending' | 'none'
const icons = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }

function directionOf(sort: FeatureSort | undefined, column: FeatureSortColumn): Direction {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}

function next(column: FeatureSortColumn, direction: Direction): FeatureSort | undefined {
  if (direction === 'none') return column
  return direction === 'ascending' ? `-${column}` : undefined
}
