import { useLocalStorage } from '@mantine/hooks'
import { usePersonId } from '#web/api/use-session.ts'
import { useIsPhone } from '#web/ui/device.ts'
import {
  type ColumnChoice,
  columnsOf,
  fieldsToAsk,
  isStandard,
  moveColumn,
  readColumnChoice,
  standardChoice,
  type TableColumn,
  withinWidths,
} from './table-columns.ts'

export type TableColumns = {
  choice: ColumnChoice
  columns: readonly TableColumn[]
  /** The paths that the server is asked for besides. */
  fields: string | undefined
  isStandard: boolean
  /** In or out of the table; it comes in at the end. */
  toggle(id: string): void
  /** Counted among those that can be moved. */
  move(id: string, to: number): void
  /** Null: as wide as it is by itself. */
  resize(id: string, width: number | null): void
  reset(): void
}

/** The columns of one person for one map, remembered in this browser. */
export function useTableColumns(mapId: string): TableColumns {
  const isPhone = useIsPhone()
  const [kept, set] = useLocalStorage<ColumnChoice>({
    key: `poa.table-columns.${mapId}.${usePersonId() ?? ''}`,
    defaultValue: standardChoice,
    getInitialValueInEffect: false,
    deserialize: (text) => readColumnChoice(text ?? null),
  })
  // Its compact rows show what matters most.
  const choice = isPhone ? standardChoice : kept
  return {
    choice,
    fields: fieldsToAsk(choice),
    columns: columnsOf(choice),
    isStandard: isStandard(choice),
    toggle: (id) =>
      set((present) => {
        const { ids } = present
        return { ...present, ids: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id] }
      }),
    move: (id, to) => set((present) => moveColumn(present, id, to)),
    resize: (id, width) =>
      set((present) => {
        const { [id]: _, ...others } = present.widths
        return { ...present, widths: width === null ? others : { ...others, [id]: withinWidths(width) } }
      }),
    reset: () => set(standardChoice),
  }
}
