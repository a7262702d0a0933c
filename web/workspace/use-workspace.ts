import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type KnownFeature, knownOf } from '#domain/features/known-feature.ts'
import { featureDetailQuery, findSummary } from '#web/api/features.api.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import { firstPictureWithinMs } from '#web/map/first-picture.ts'
import type { MapHandle, MapViewport } from '#web/map/map-view.tsx'
import { usePlacing } from './placing.ts'
import { useMapAddress } from './use-map-address.ts'
import { useMapChoice } from './use-map-choice.ts'
import { type ShownQuestion, useShownTiles } from './use-shown-tiles.ts'
import { useToolbox } from './use-toolbox.ts'

const everything: ShownQuestion = {}

type Options<Search> = {
  mapId: string
  /** Undefined where it could not be had. */
  summary: MapSummary | undefined
  /** Which features are on the map, by what the address says. */
  shownOf(search: Search): ShownQuestion
  selection: SelectionRules | null
}

/** How features are selected; null where they cannot be. */
type SelectionRules = {
  /** From where a feature is looked at. */
  zoom: number
  /** The map moves to what was clicked on it. */
  movesOnClick: boolean
  /** The browser's 'back' takes a selection back. */
  isStep: boolean
}

type AnySearch = {
  select?: string | undefined
  /** The id of a record that is being added: it has the place of what is selected. */
  add?: string | undefined
}
export type Workspace<Search extends AnySearch = AnySearch> = ReturnType<typeof useWorkspace<Search>>

/**
 * What every screen with a map has: where one looks and what is selected, which the address tells, too, what is pointed
 * at, what may be meant by a click, and the tools. WorkspaceMap shows it; a screen says what it adds.
 */
export function useWorkspace<Search extends AnySearch>(options: Options<Search>) {
  const { mapId, summary, selection } = options
  const mapRef = useRef<MapHandle>(null)
  const address = useMapAddress<Search>((camera) => mapRef.current?.jumpTo(camera))
  const isPlacing = (usePlacing()?.task ?? null) !== null
  // Placing needs the land: a search or a filter hides nothing meanwhile.
  const shown = isPlacing ? everything : options.shownOf(address.search)
  const [viewport, setViewport] = useState<MapViewport | null>(null)
  const { isSettled, settle } = useSettling()
  const [hovered, setHovered] = useState<{ id: string; x: number; y: number } | null>(null)
  const toolbox = useToolbox(() => setHovered(null))
  const shownTiles = useShownTiles(mapId, shown)
  useLiveUpdates(mapId, () => mapRef.current?.refresh())

  const selectedId = selection && address.search.add === undefined ? address.search.select : undefined
  const detail = useQuery({
    ...featureDetailQuery(mapId, selectedId ?? ''),
    enabled: selectedId !== undefined,
  })
  const selected = selectedId === undefined ? null : (detail.data ?? null)
  // Until its details are there it is shown by what was said of it before.
  const client = useQueryClient()
  const [chosen, setChosen] = useState<KnownFeature | null>(null)
  const listed = useListed(mapId, selected ? undefined : selectedId)
  const known = useMemo(
    () => (selected ? knownOf(selected) : (listed ?? (chosen?.id === selectedId ? chosen : null))),
    [selected, listed, chosen, selectedId],
  )
  const choice = useMapChoice({ filter: shown, onSelect: choose })

  function select(id: string | undefined) {
    choice.forget()
    if (id === address.search.select && address.search.add === undefined) return
    address.update({ select: id, add: undefined } as Partial<Search>, { isStep: selection?.isStep ?? false })
  }

  /** The map moves there, too: at once where it is known where that is, or else when the details say it. */
  const awaitsFlight = useRef<string>(undefined)
  function show(feature: Pick<KnownFeature, 'id' | 'location'>) {
    const { id } = feature
    const place = feature.location ?? (known?.id === id ? known : findSummary(client, mapId, id))?.location
    if (place && selection) mapRef.current?.flyTo({ ...place, zoom: selection.zoom })
    awaitsFlight.current = place ? undefined : id
    select(id)
  }
  const zoom = selection?.zoom
  useEffect(() => {
    if (!selected || zoom === undefined || awaitsFlight.current !== selected.id) return
    awaitsFlight.current = undefined
    mapRef.current?.flyTo({ ...selected.location, zoom })
  }, [selected, zoom])

  /** A feature on the map, or one of those that may have been meant. */
  function choose(feature: KnownFeature) {
    setChosen(feature)
    if (selection?.movesOnClick) show(feature)
    else select(feature.id)
  }

  const extent = summary?.extent
  return {
    mapId,
    summary,
    mapRef,
    address,
    viewport,
    setViewport,
    /** The first picture of the map is there, or has had its time: what is wanted later may come now. */
    isSettled,
    settle,
    shownTiles,
    isSelectable: selection !== null,
    /** All that is known of what the address selects, once it is there. */
    selected,
    /** What is known of it at once. */
    known,
    /** The address names a feature whose details are not known yet. */
    isSelectionPending: selectedId !== undefined && detail.isPending,
    select,
    show,
    choose,
    choice,
    hovered,
    setHovered,
    toolbox,
    goHome: extent ? () => mapRef.current?.fitExtent(extent) : undefined,
  }
}

/** What lists say of a feature, as soon as one does. */
function useListed(mapId: string, id: string | undefined): FeatureSummary | undefined {
  const client = useQueryClient()
  return useSyncExternalStore(
    (onChange) => client.getQueryCache().subscribe(onChange),
    () => (id === undefined ? undefined : findSummary(client, mapId, id)),
  )
}

function useSettling() {
  const [isSettled, setIsSettled] = useState(false)
  const settle = useCallback(() => setIsSettled(true), [])
  useEffect(() => {
    const late = setTimeout(settle, firstPictureWithinMs)
    return () => clearTimeout(late)
  }, [settle])
  return { isSettled, settle }
}
