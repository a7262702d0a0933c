import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import { restAddress, tileAddress } from '#web/api/addresses.ts'
import { getFeatureCollection } from '#web/api/features.api.ts'
import { answerKey } from '#web/api/maps.api.ts'
import { type Matches, noMatches, openMatches } from '#web/map/match-tiles.ts'

export type ShownQuery = FilterQuery & { kind?: FeatureKind | undefined; text?: string | undefined }

export type ShownTiles = {
  tiles: string
  /** Tiles without the filter, while one is on. */
  rest: string | null
  isSearching: boolean
  matches: Matches | null
  isSearchFailed: boolean
  retrySearch(): void
}

/** Tiles of the server, or made in the page from search results, which server tiles cannot filter by. */
export function useShownTiles(mapId: string, query: ShownQuery): ShownTiles {
  const { text, due, ...filter } = query
  const isSearch = text !== undefined || due !== undefined
  const [serverTiles] = useDebouncedValue(tileAddress(mapId, filter), 80)
  const found = useQuery({
    queryKey: [...answerKey(mapId, 'matches'), query],
    queryFn: async ({ signal }) => openMatches(await getFeatureCollection(mapId, query, signal)),
    enabled: isSearch,
    // Tiles exist for the latest result only.
    gcTime: 0,
  })
  const current = isSearch ? found.data?.tiles : serverTiles
  // The map keeps the previous tiles until the search returns.
  const [shown, setShown] = useState(current ?? noMatches)
  if (current !== undefined && current !== shown) setShown(current)
  return {
    tiles: current ?? shown,
    rest: restAddress(mapId, query),
    isSearching: isSearch && found.isFetching,
    matches: (isSearch && found.data) || null,
    isSearchFailed: isSearch && found.isError && !found.isFetching,
    retrySearch: () => void found.refetch(),
  }
}
