import { FiltersPanel } from '#web/features/filters-panel.tsx'
import type { PaneProps } from './list-pane.tsx'

/** Layers and filters, written to the address. */
export function PaneFilters({ variant, filters, isVisible, update }: PaneProps) {
  return (
    <FiltersPanel
      filters={filters}
      onFiltersChange={update}
      layers={variant.groups}
      isVisible={isVisible}
      onVisibleChange={(changed, isShown) => {
        const off = variant.groups
          .map(({ key }) => key)
          .filter((key) => (key === changed ? !isShown : !isVisible[key]))
        update({ off: off.join(',') || undefined })
      }}
    />
  )
}
