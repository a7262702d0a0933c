import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { knownColumns, type TableColumn } from '#domain/features/table-columns.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { usePersonId } from '#web/api/use-session.ts'
import { useIsPhone } from '#web/ui/device.ts'
import {
  type ColumnChoice,
  columnsOf,
  fieldsToAsk,
  isFull,
  isStandard,
  moveColumn,
  readColumnChoice,
  standardChoice,
  validChoice,
  withinWidths,
} from './table-columns.ts'

export type TableColumns = {
  choice: ColumnChoice
  columns: readonly TableColumn[]
  choosable: readonly TableColumn[]
  isFull: boolean
  fields: string | undefined
  isStandard: boolean
  toggle(id: string): void
  move(id: string, to: number): void
  resize(id: string, width: number | null): void
  reset(): void
}

/** Of one user, map and kind, stored in this browser. */
export function useTableColumns(mapId: string, kind: FeatureKind | undefined): TableColumns {
  const isPhone = useIsPhone()
  const [stored, store] = useLocalStorage<ColumnChoice>({
    key: ['poa.table-columns', mapId, usePersonId() ?? '', ...(kind ? [kind] : [])].join('.'),
    defaultValue: standardChoice(kind),
    getInitialValueInEffect: false,
    deserialize: (text) => readColumnChoice(text ?? null, kind),
  })
  const customFields = useQuery(customFieldsQuery(mapId)).data?.fields
  const available = useMemo(() => knownColumns(customFields ?? noCustomFields), [customFields])
  // Stored columns may be custom fields that are still loading.
  const set = (change: (current: ColumnChoice) => ColumnChoice) =>
    store((current) => change(customFields ? validChoice(current, available) : current))
  const choice = isPhone ? standardChoice(kind) : validChoice(stored, available)
  const columns = columnsOf(choice, available)
  return {
    choice,
    columns,
    choosable: available.choosable,
    fields: fieldsToAsk(columns),
    isFull: isFull(columns),
    isStandard: isStandard(choice, kind),
    toggle: (id) =>
      set((current) => {
        const { ids } = current
        return { ...current, ids: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id] }
      }),
    move: (id, to) => set((current) => moveColumn(current, id, to)),
    resize: (id, width) =>
      set((current) => {
        const { [id]: _, ...others } = current.widths
        return { ...current, widths: width === null ? others : { ...others, [id]: withinWidths(width) } }
      }),
    reset: () => store(standardChoice(kind)),
  }
}
