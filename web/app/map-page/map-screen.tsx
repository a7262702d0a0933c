import { useComputedColorScheme } from '@mantine/core'
import { useDebouncedValue, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { sinceOfTimeRange } from '#domain/features/filters.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { featureDetailQuery, parcelLabelsQuery, tileAddress } from '#web/api/features.api.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import type { PageSettings } from '#web/api/maps.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { ShapeLegend } from '#web/features/shape-legend.tsx'
import { TypeLegend } from '#web/features/type-legend.tsx'
import type { MapHandle } from '#web/map/map-view.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { exactBox, roundedBox } from '#web/workspace/box-text.ts'
import { HoverName } from '#web/workspace/hover-name.tsx'
import { BaseMapButtons, ViewButtons } from '#web/workspace/map-controls.tsx'
import { MapView } from '#web/workspace/map-part.ts'
import { useMapAddress } from '#web/workspace/use-map-address.ts'
import { useMapChoice } from '#web/workspace/use-map-choice.ts'
import { WhatIsHere } from '#web/workspace/what-is-here.tsx'
import classes from './map-screen.module.css'
import { layersOff, type MapSearch } from './map-search.ts'
import type { MapVariant } from './map-variant.ts'
import { Sidebar } from './sidebar.tsx'
import { useFollowConfiguration } from './use-follow-configuration.ts'
import { useShortcuts } from './use-shortcuts.ts'

const DetailPanel = lazyPart(() =>
  import('#web/features/detail-panel.tsx').then((module) => module.DetailPanel),
)
const PhoneSheet = lazyPart(() => import('./phone-sheet.tsx').then((module) => module.PhoneSheet))
const StaffFrame = lazyPart(() => import('../staff-frame.tsx').then((module) => module.StaffFrame))
const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp))
const ViewerDrawing = lazyPart(() => import('./viewer-drawing.tsx').then((module) => module.ViewerDrawing))

/** Parcels carry their names from here on. */
const labelsFromZoom = 15

type MapScreenProps = {
  variant: MapVariant
  mapId: string
  settings: PageSettings
  /** Undefined where it could not be had; the map then opens without it. */
  summary: MapSummary | undefined
  configuration: MapConfigurationAnswer | undefined
}

export function MapScreen({ variant, mapId, settings, summary, configuration }: MapScreenProps) {
  const mapRef = useRef<MapHandle>(null)
  const screenRef = useRef<HTMLDivElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const awaitsFlight = useRef<string>(undefined)
  const isPhone = useMediaQuery('(max-width: 767px)', window.innerWidth < 768, {
    getInitialValueInEffect: false,
  })
  const isDark = useComputedColorScheme('light') === 'dark'
  const [isCollapsed, setIsCollapsed] = useLocalStorage({ key: 'poa.sidebar.collapsed', defaultValue: false })
  const isStaff = useMay('editor', mapId)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [hovered, setHovered] = useState<{ id: string; x: number; y: number } | null>(null)
  const [isDrawing, setIsDrawing] = useState(false)
  const [drawing, setDrawing] = useState<string | null>(null)
  const [labelBox, setLabelBox] = useState<string | null>(null)
  const [viewBox, setViewBox] = useState<string | null>(null)
  const address = useMapAddress<MapSearch>((camera) => mapRef.current?.jumpTo(camera))
  const { search } = address
  useLiveUpdates(mapId, () => mapRef.current?.refresh())

  const detail = useQuery({
    ...featureDetailQuery(mapId, search.select ?? ''),
    enabled: search.select !== undefined,
  })
  const selected = search.select !== undefined ? (detail.data ?? null) : null
  const [opening] = useState(() => ({ camera: address.camera, select: search.select }))
  useFollowConfiguration({
    openingCameraOf: variant.openingCameraOf,
    configuration,
    summary,
    screenRef,
    isPlaced: opening.camera !== undefined || opening.select !== undefined,
    onShow: (camera) => mapRef.current?.flyTo(camera),
  })
  // Once the map is there it stays: a selection that is closed is pending again.
  const [isOpened, setIsOpened] = useState(false)
  const waitsForSelection = !isOpened && !opening.camera && search.select !== undefined && detail.isPending
  if (!waitsForSelection && !isOpened) setIsOpened(true)

  const { offered, preferred: defaultBaseMap } = variant.baseMapsOf(configuration)
  const baseMap = search.base && offered.includes(search.base) ? search.base : defaultBaseMap

  const off = layersOff(search.off)
  const isVisible = Object.fromEntries(variant.groups.map(({ key }) => [key, !off.includes(key)]))
  const isLandVisible = isVisible.parcel ?? isVisible.polygon ?? true
  const filters = { incidents: search.incidents, assets: search.assets, time: search.time }
  const since = sinceOfTimeRange(search.time ?? 'all', new Date())
  const types = [search.incidents, search.assets].filter((type) => type !== undefined).join(',')
  const [tiles] = useDebouncedValue(tileAddress(mapId, { type: types, since }), 80)
  const choice = useMapChoice({ mapId, filter: { type: types, since }, onSelect: (id) => selectAndShow(id) })
  const labels = useQuery(parcelLabelsQuery(mapId, isLandVisible ? labelBox : null))

  function select(id: string | undefined) {
    choice.forget()
    if (id !== search.select) address.update({ select: id }, { isStep: true })
  }

  function selectAndShow(id: string, location?: LatLng) {
    const place = location ?? (selected?.id === id ? selected.location : undefined)
    if (place) mapRef.current?.flyTo({ ...place, zoom: variant.selectionZoom })
    awaitsFlight.current = place ? undefined : id
    select(id)
  }

  // A pin that was clicked says only its id: where it stands comes with its details.
  useEffect(() => {
    if (!selected || awaitsFlight.current !== selected.id) return
    awaitsFlight.current = undefined
    mapRef.current?.flyTo({ ...selected.location, zoom: variant.selectionZoom })
  }, [selected, variant.selectionZoom])

  function goHome() {
    if (summary?.extent) mapRef.current?.fitExtent(summary.extent)
  }

  useShortcuts({
    isOff: isHelpOpen,
    escape: () => (choice.asked ? choice.forget() : select(undefined)),
    help: () => setIsHelpOpen(true),
    search: () => {
      // The box is not there before the sidebar is.
      flushSync(() => setIsCollapsed(false))
      searchRef.current?.focus()
    },
    home: goHome,
    tab: (index) => {
      const group = variant.groups[index]
      if (group) address.update({ tab: index === 0 ? undefined : group.key })
    },
    sidebar: () => setIsCollapsed(!isCollapsed),
  })

  const pane = {
    mapId,
    variant,
    viewBox,
    summary,
    search,
    filters,
    since,
    isVisible,
    searchRef,
    update: address.update,
    onSelect: selectAndShow,
    onHelp: () => setIsHelpOpen(true),
  }
  const details =
    search.select === undefined ? null : (
      <Guard what="The details" look="panel" subject={search.select} onClose={() => select(undefined)}>
        <DetailPanel
          mapId={mapId}
          id={search.select}
          onClose={() => select(undefined)}
          onSelect={(id) => selectAndShow(id)}
        />
      </Guard>
    )

  return (
    <div
      ref={screenRef}
      className={classes.screen}
      data-phone={isPhone || undefined}
      data-tools={variant.hasDrawing || undefined}
      data-drawing={isDrawing || undefined}
    >
      {!isPhone && (
        <Guard what="The list" look="panel">
          <Sidebar {...pane} isCollapsed={isCollapsed} onCollapse={setIsCollapsed} />
        </Guard>
      )}
      <main className={classes.stage}>
        <div className={classes.map}>
          {!waitsForSelection && (
            <Guard what="The map" look="panel" waiting={<div className={classes.placeholder} />}>
              <MapView
                ref={mapRef}
                label="Map"
                initialCamera={variant.openingCameraOf({
                  // A map that has failed begins again where it was.
                  fromAddress: address.camera,
                  selection: opening.select === undefined ? undefined : detail.data?.location,
                  configuration,
                  summary,
                })}
                bounds={configuration?.configuration.mapBounds ?? null}
                baseMap={baseMap}
                tileServices={settings.tileServices}
                isDark={isDark}
                look={variant.look}
                tiles={tiles}
                isVisible={isVisible}
                selected={selected}
                place={placeOf(summary)}
                labels={labelBox !== null && isLandVisible ? (labels.data?.items ?? []) : []}
                onCameraChange={(camera, extent) => {
                  address.writeCamera(camera)
                  setLabelBox(camera.zoom >= labelsFromZoom ? roundedBox(extent) : null)
                  setViewBox(exactBox(extent))
                }}
                isDrawing={isDrawing}
                layers={
                  variant.hasDrawing && (
                    <Guard what="Drawing" look="note" waiting={null}>
                      <ViewerDrawing
                        mapId={mapId}
                        configuration={configuration}
                        selected={drawing}
                        onSelect={setDrawing}
                        onActiveChange={(isActive) => {
                          setIsDrawing(isActive)
                          setHovered(null)
                        }}
                      />
                    </Guard>
                  )
                }
                onClick={(click) => {
                  setHovered(null)
                  // What lies inside of a drawing is to be reached all the same.
                  const isOnDrawing = click.shape?.isEdge || click.hits.length === 0
                  const shape = isStaff && mapId !== sampleMapId && isOnDrawing ? click.shape : null
                  setDrawing(shape?.id ?? null)
                  if (shape) choice.forget()
                  else void choice.clickMap(click)
                }}
                onHover={(hover) => setHovered(hover && { id: hover.hit.id, ...hover.point })}
                onAskWhatIsHere={choice.askWhatIsHere}
              >
                <BaseMapButtons
                  offered={offered}
                  value={baseMap}
                  onChange={(base) => address.update({ base: base === defaultBaseMap ? undefined : base })}
                />
                <ViewButtons
                  onZoom={(levels) => mapRef.current?.zoomBy(levels)}
                  onHome={summary?.extent ? goHome : undefined}
                />
                <div className={classes.legend}>
                  {variant.look === 'types' ? (
                    <TypeLegend isVisible={isVisible} counts={summary?.counts} />
                  ) : (
                    <ShapeLegend isVisible={isVisible} />
                  )}
                </div>
                {hovered && !choice.asked && <HoverName mapId={mapId} {...hovered} />}
                {choice.asked && (
                  <WhatIsHere
                    mapId={mapId}
                    {...choice.asked}
                    onSelect={(id) => selectAndShow(id)}
                    onClose={choice.forget}
                  />
                )}
              </MapView>
            </Guard>
          )}
        </div>
        {!isPhone && details && <div className={classes.detail}>{details}</div>}
        {isPhone && (
          <Guard what="The list" look="inline" waiting={<div className={classes.sheetPlaceholder} />}>
            <PhoneSheet {...pane} details={details} isDrawing={isDrawing} />
          </Guard>
        )}
      </main>
      {isStaff && (
        <Guard what="What tells of your changes" look="note" waiting={null}>
          <StaffFrame />
        </Guard>
      )}
      {isHelpOpen && (
        <Guard what="The list of shortcuts" look="dialog" onClose={() => setIsHelpOpen(false)}>
          <ShortcutHelp
            groups={variant.groups.map(({ label }) => label).join(', ')}
            isOpen
            onClose={() => setIsHelpOpen(false)}
          />
        </Guard>
      )}
    </div>
  )
}

/** The client's town, written above its land. */
function placeOf(summary: MapSummary | undefined) {
  if (!summary?.extent || !summary.client) return null
  const { north, east, west } = summary.extent
  return { id: summary.id, name: summary.client.location, location: { lat: north, lng: (east + west) / 2 } }
}
