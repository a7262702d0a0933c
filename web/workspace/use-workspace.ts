import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type FeaturePreview, previewOf } from '#domain/features/feature-preview.ts'
import { featureDetailQuery, findSummary } from '#web/api/features.api.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import { firstPictureWithinMs } from '#web/map/first-picture.ts'
import type { MapHandle, MapViewport } from '#web/map/map-view.tsx'
import { usePlacing } from './placing.ts'
import { useMapAddress } from './use-map-address.ts'
import { useMapChoice } from './use-map-choice.ts'
import { type ShownQuery, useShownTiles } from './use-shown-tiles.ts'
import { useToolbox } from './use-toolbox.ts'

const everything: ShownQuery = {}

type Options<Search> = {
  mapId: string
  summary: MapSummary | undefined
  shownOf(search: Search): ShownQuery
  selection: SelectionRules | null
}

type SelectionRules = {
  zoom: number
  movesOnClick: boolean
  isStep: boolean
}

type AnySearch = {
  select?: string | undefined
  add?: string | undefined
}
export type Workspace<Search extends AnySearch = AnySearch> = ReturnType<typeof useWorkspace<Search>>

export function useWorkspace<Search extends AnySearch>(options: Options<Search>) {
  const { mapId, summary, selection } = options
  const mapRef = useRef<MapHandle>(null)
  const address = useMapAddress<Search>((camera) => mapRef.current?.jumpTo(camera))
  const isPlacing = (usePlacing()?.task ?? null) !== null
  // Search and filters must not hide features while a record is being placed.
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
  // Until the details arrive, the selection is shown from the list or the tile.
  const client = useQueryClient()
  const [chosen, setChosen] = useState<FeaturePreview | null>(null)
  const listed = useListed(mapId, selected ? undefined : selectedId)
  const preview = useMemo(
    () => (selected ? previewOf(selected) : (listed ?? (chosen?.id === selectedId ? chosen : null))),
    [selected, listed, chosen, selectedId],
  )
  const choice = useMapChoice({ filter: shown, onSelect: choose })

  function select(id: string | undefined) {
    choice.forget()
    if (id === address.search.select && address.search.add === undefined) return
    address.update({ select: id, add: undefined } as Partial<Search>, { isStep: selection?.isStep ?? false })
  }

  const awaitsFlight = useRef<string>(undefined)
  function show(feature: Pick<FeaturePreview, 'id' | 'location'>) {
    const { id } = feature
    const place =
      feature.location ?? (preview?.id === id ? preview : findSummary(client, mapId, id))?.location
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

  function choose(feature: FeaturePreview) {
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
    isSettled,
    settle,
    shownTiles,
    isSelectable: selection !== null,
    selected,
    preview,
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

function useListed(mapId: string, id: string | undefined): FeatureSummary | undefined {
  const client = useQueryClient()
  return useSyncExternalStore(
    // Queries are added and observed while components render, when nothing may change.
    (onChange) =>
      client.getQueryCache().subscribe(({ type }) => {
        if (type === 'updated' || type === 'removed') onChange()
      }),
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
