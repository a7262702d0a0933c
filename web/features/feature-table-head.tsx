import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type FeatureSort, type FeatureSortColumn, firstFeatureSort } from '#domain/features/feature-sort.ts'
import classes from './feature-table.module.css'

const columns: readonly { column: FeatureSortColumn; label: string }[] = [
  { column: 'kind', label: 'Kind' },
  { column: 'name', label: 'Name' },
  { column: 'type', label: 'Type' },
  { column: 'severity', label: 'Severity' },
  { column: 'status', label: 'Status' },
  { column: 'date', label: 'Date' },
  { column: 'parcel', label: 'Parcel' },
]

type FeatureTableHeadProps = {
  headRef: React.Ref<HTMLTableSectionElement>
  sort: FeatureSort
  /** Undefined: the order that the table begins with. */
  onSort(sort: FeatureSort | undefined): void
}

/** A press sorts up, the next one down, the third leaves it to the order that the table begins with. */
export function FeatureTableHead({ headRef, sort, onSort }: FeatureTableHeadProps) {
  return (
    <thead ref={headRef} className={classes.head}>
      <tr aria-rowindex={1}>
        {columns.map(({ column, label }) => {
          const direction = directionOf(sort, column)
          const Icon = icons[direction]
          return (
            <th key={column} scope="col" aria-sort={direction} data-column={column}>
              <UnstyledButton className={classes.sort} onClick={() => onSort(next(column, direction))}>
                <span>{label}</span>
                <Icon size={14} aria-hidden="true" data-idle={direction === 'none' || undefined} />
              </UnstyledButton>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type Direction = 'ascending' | 'descending' | 'none'
const icons = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }

function directionOf(sort: FeatureSort, column: FeatureSortColumn): Direction {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}

function next(column: FeatureSortColumn, direction: Direction): FeatureSort | undefined {
  if (direction === 'none') return column === firstFeatureSort ? undefined : column
  return direction === 'ascending' ? `-${column}` : undefined
}
