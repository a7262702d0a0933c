import { featureKinds } from '#domain/features/kinds.ts'
import { FiltersPanel } from '#web/features/filters-panel.tsx'
import type { PaneProps } from './list-pane.tsx'

/** Layers and filters, written to the address. */
export function PaneFilters({ filters, isVisible, update }: PaneProps) {
  return (
    <FiltersPanel
      filters={filters}
      onFiltersChange={update}
      isVisible={isVisible}
      onVisibleChange={(kind, isShown) => {
        const off = featureKinds.filter((other) => (other === kind ? !isShown : !isVisible[other]))
        update({ off: off.join(',') || undefined })
      }}
    />
  )
}
