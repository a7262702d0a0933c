import { useState } from 'react'
import type { FilterQuestion } from '#domain/features/filters.ts'
import type { KnownFeature } from '#domain/features/known-feature.ts'
import type { MapClick } from '#web/map/map-view.tsx'

type Asked = { click: MapClick; isChooser: boolean }

type MapChoiceOptions = {
  /** As the tiles are filtered. */
  filter: FilterQuestion
  onSelect(feature: KnownFeature): void
}

/**
 * What is meant by a click. A tile leaves out what lies on top of each other: one stands for all of them, and the
 * chooser asks for the others when it is clicked.
 */
export function useMapChoice({ filter, onSelect }: MapChoiceOptions) {
  const [asked, setAsked] = useState<Asked | null>(null)

  const forget = () => setAsked(null)

  return {
    filter,
    asked,
    forget,
    clickMap(click: MapClick) {
      forget()
      const [first, ...more] = click.hits
      // What is alone is selected with the click.
      if (first && more.length === 0 && first.count === 1) onSelect(first)
      else if (first) setAsked({ click, isChooser: true })
    },
    askWhatIsHere: (click: MapClick) => setAsked({ click, isChooser: false }),
  }
}
