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

  async function matesOf(hit: Hit): Promise<Hit[]> {
    if (hit.count === 1) return [hit]
    try {
      const { items } = await client.fetchQuery(coLocatedQuery(mapId, hit, filter))
      const shape = items.find(({ id }) => id === hit.id)?.shape
      const mates = items.filter((item) => item.shape === shape && item.id !== hit.id)
      return [hit, ...mates.map((mate) => ({ ...mate, count: hit.count }))]
    } catch {
      // Better the one that is known than none.
      return [hit]
    }
  }

  async function withMates(click: MapClick): Promise<MapClick> {
    const hits = (await Promise.all(click.hits.map(matesOf))).flat()
    const ids = new Set(hits.map(({ id }) => id))
    return { ...click, hits: [...ids].map((id) => hits.find((hit) => hit.id === id) as Hit) }
  }

  function forget() {
    latestClick.current = undefined
    setAsked(null)
  }

  return {
    asked,
    forget,
    async clickMap(click: MapClick) {
      forget()
      const [only, ...more] = click.hits
      // What is alone is selected with the click.
      if (only && more.length === 0 && only.count === 1) return onSelect(only)
      latestClick.current = click
      const complete = await withMates(click)
      if (latestClick.current !== click) return
      const [first, ...others] = complete.hits
      if (others.length > 0) setAsked({ click: complete, isChooser: true })
      else if (first) onSelect(first)
    },
    async askWhatIsHere(click: MapClick) {
      latestClick.current = click
      setAsked({ click, isChooser: false })
      const complete = await withMates(click)
      if (latestClick.current === click) setAsked({ click: complete, isChooser: false })
    },
  }
}
