import { useState } from 'react'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import type { MapClick } from '#web/map/map-view.tsx'

type OpenQuery = { click: MapClick; isChooser: boolean }

type MapChoiceOptions = {
  filter: FilterQuery
  onSelect(feature: FeaturePreview): void
}

/**
 * Opens a chooser for several features. Tiles contain one representative of overlapping features; the chooser
 * loads the others.
 */
export function useMapChoice({ filter, onSelect }: MapChoiceOptions) {
  const [query, setQuery] = useState<OpenQuery | null>(null)

  const forget = () => setQuery(null)

  return {
    filter,
    query,
    forget,
    clickMap(click: MapClick) {
      forget()
      const [first, ...more] = click.hits
      if (first && more.length === 0 && first.count === 1) onSelect(first)
      else if (first) setQuery({ click, isChooser: true })
    },
    askWhatIsHere: (click: MapClick) => setQuery({ click, isChooser: false }),
  }
}
