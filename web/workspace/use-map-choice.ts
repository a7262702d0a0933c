import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FilterQuestion } from '#domain/features/filters.ts'
import type { KnownFeature } from '#domain/features/known-feature.ts'
import { coLocatedQuery } from '#web/api/features.api.ts'
import type { Hit } from '#web/map/hits.ts'
import type { MapClick } from '#web/map/map-view.tsx'

type Asked = { click: MapClick; isChooser: boolean }

type MapChoiceOptions = {
  mapId: string
  /** As the tiles are filtered. */
  filter: FilterQuestion
  onSelect(feature: KnownFeature): void
}

/**
 * What is meant by a click. A tile leaves out what lies on top of each other: one stands for all of them, and the
 * others are asked for when it is clicked.
 */
export function useMapChoice({ mapId, filter, onSelect }: MapChoiceOptions) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const latestClick = useRef<MapClick>(undefined)

  /** Whether other features share its place; the tile may be older than what the server says now. */
  async function isShared(hit: Hit): Promise<boolean> {
    try {
      const { pages } = await client.fetchInfiniteQuery(coLocatedQuery(mapId, [hit], filter))
      return (pages[0]?.total ?? 0) > 1
    } catch {
      // Better the one that is known than none.
      return false
    }
  }

  function forget() {
    latestClick.current = undefined
    setAsked(null)
  }

  return {
    filter,
    asked,
    forget,
    async clickMap(click: MapClick) {
      forget()
      const [first, ...more] = click.hits
      if (!first) return
      if (more.length > 0) return setAsked({ click, isChooser: true })
      // What is alone is selected with the click.
      if (first.count === 1) return onSelect(first)
      latestClick.current = click
      const isChooser = await isShared(first)
      if (latestClick.current !== click) return
      if (isChooser) setAsked({ click, isChooser })
      else onSelect(first)
    },
    askWhatIsHere(click: MapClick) {
      latestClick.current = click
      setAsked({ click, isChooser: false })
    },
  }
}
