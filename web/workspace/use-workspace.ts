import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type FeaturePreview, previewOf } from '#domain/features/feature-preview.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import { featureDetailQuery, findSummary } from '#web/api/features.api.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import { firstPictureWithinMs } from '#web/map/first-picture.ts'
import type { MapClick, MapHandle, MapViewport } from '#web/map/map-view.tsx'
import { type Camera, readCamera, writeCamera } from './map-camera.ts'
import { usePlacing } from './placing.ts'
import type { PluggedMode } from './tool.ts'
import { type ShownQuery, useShownTiles } from './use-shown-tiles.ts'

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

type OpenQuery = { click: MapClick; isChooser: boolean }

type MapChoiceOptions = {
  filter: FilterQuery
  onSelect(feature: FeaturePreview): void
}

/**
 * Opens a chooser for several features. Tiles contain one representative of overlapping features; the chooser
 * loads the others.
 */
function useMapChoice({ filter, onSelect }: MapChoiceOptions) {
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

/** Navigation by the page is PUSH or REPLACE. */
const travels = new Set(['BACK', 'FORWARD', 'GO'])

function useMapAddress<Search extends object>(onCameraFromHistory: (camera: Camera) => void) {
  const search = useSearch({ strict: false }) as unknown as Search
  const hash = useLocation({ select: (location) => location.hash })
  const { history } = useRouter()
  const navigate = useNavigate()
  // The router updates its location asynchronously.
  const latestHash = useRef(hash)
  const follow = useEffectEvent((camera: Camera) => onCameraFromHistory(camera))

  // Back, forward and a hash edited by hand move the map.
  useEffect(
    () =>
      history.subscribe(({ location, action }) => {
        if (!travels.has(action.type)) return
        latestHash.current = location.hash.replace(/^#/, '')
        const camera = readCamera(location.hash)
        if (camera) follow(camera)
      }),
    [history],
  )

  return {
    search,
    camera: readCamera(hash),
    /** `isStep` adds an entry to the history; otherwise the current one is replaced. */
    update(changes: Partial<Search> | ((current: Search) => Partial<Search>), { isStep = false } = {}) {
      const changesOf = typeof changes === 'function' ? changes : () => changes
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, ...changesOf(current as Search) }),
        hash: latestHash.current,
        replace: !isStep,
        resetScroll: false,
      })
    },
    writeCamera(camera: Camera) {
      const next = writeCamera(camera)
      if (next === latestHash.current) return
      latestHash.current = next
      void navigate({ to: '.', search: true, hash: next, replace: true, resetScroll: false })
    },
  }
}

/** At most one tool is on. Calls `onTurn` when that changes. */
function useToolbox(onTurn: () => void) {
  const plugged = useRef(new Set<PluggedMode>())
  const [active, setActive] = useState<PluggedMode | null>(null)
  const latestOnTurn = useRef(onTurn)
  useEffect(() => {
    latestOnTurn.current = onTurn
  })
  const context = useMemo(
    () => ({
      plug(mode: PluggedMode) {
        plugged.current.add(mode)
        return () => plugged.current.delete(mode)
      },
      turnOn(mode: PluggedMode) {
        for (const other of plugged.current) if (other !== mode && other.current.isOn) other.current.turnOff()
        setActive(mode)
        latestOnTurn.current()
        return () => {
          setActive((current) => (current === mode ? null : current))
          latestOnTurn.current()
        }
      },
    }),
    [],
  )

  // Captures keys before the shortcuts of the map and the screen.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        (event.target as HTMLElement).closest(
          '[role=dialog], [role=menu], [aria-haspopup][aria-expanded=true]',
        )
      )
        return
      const modes = [...plugged.current].sort((a, b) => Number(b.current.isOn) - Number(a.current.isOn))
      if (!modes.some(({ current }) => current.onKey?.(event))) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return {
    context,
    isOn: active !== null,
    click(click: MapClick): boolean {
      if (active) {
        active.current.onClick?.(click)
        return true
      }
      return [...plugged.current].some(({ current }) => current.onClick?.(click))
    },
    longPress: (click: MapClick) => active && (active.current.onLongPress?.(click) ?? false),
    unsaved: () => [...plugged.current].flatMap(({ current }) => current.unsaved ?? []),
  }
}
