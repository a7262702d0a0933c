import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FilterQuestion } from '#domain/features/filters.ts'
import type { DueWord } from '#domain/maintenance/due.ts'
import { tileAddress } from '#web/api/addresses.ts'
import { getFeatureCollection } from '#web/api/features.api.ts'
import { answerKey } from '#web/api/maps.api.ts'
import { type Matches, noMatches, openMatches } from '#web/map/match-tiles.ts'

/**
 * Which features are on the map: those of a filter, and of them those in which some words are found, or of which
 * maintenance is due.
 */
export type ShownQuestion = FilterQuestion & { text?: string | undefined; due?: DueWord | undefined }

export type ShownTiles = {
  tiles: string
  /** What is to be found is on its way. */
  isSearching: boolean
  /** What was found, once the map shows it. */
  matches: Matches | null
  /** What was found could not be had: the map shows what it did before. */
  isSearchAway: boolean
  retrySearch(): void
}

/** Tiles of the server; for what its tiles cannot be asked for, those that the page makes of what was found. */
export function useShownTiles(mapId: string, question: ShownQuestion): ShownTiles {
  const { text, due, ...filter } = question
  const isSearch = text !== undefined || due !== undefined
  const [ofServer] = useDebouncedValue(tileAddress(mapId, filter), 80)
  const found = useQuery({
    queryKey: [...answerKey(mapId, 'matches'), question],
    queryFn: async ({ signal }) => openMatches(await getFeatureCollection(mapId, question, signal)),
    enabled: isSearch,
    // The map has tiles of the latest alone.
    gcTime: 0,
  })
  const wanted = isSearch ? found.data?.tiles : ofServer
  // Until something is found, the map goes on showing what it did.
  const [shown, setShown] = useState(wanted ?? noMatches)
  if (wanted !== undefined && wanted !== shown) setShown(wanted)
  return {
    tiles: wanted ?? shown,
    isSearching: isSearch && found.isFetching,
    matches: (isSearch && found.data) || null,
    isSearchAway: isSearch && found.isError && !found.isFetching,
    retrySearch: () => void found.refetch(),
  }
}
