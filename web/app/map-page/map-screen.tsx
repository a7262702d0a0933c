import { useLocalStorage } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import { queryOfFilters, readFilters } from '#domain/features/filters.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { useEditorId, useMay } from '#web/api/use-session.ts'
import { partsFor } from '#web/app/feature-parts.tsx'
import { type RecordEditor, recordEditor } from '#web/app/record-editing.tsx'
import { ShapeLegend } from '#web/features/shape-legend.tsx'
import { TypeLegend } from '#web/features/type-legend.tsx'
import { drawingTool } from '#web/tools/drawing/drawing-tool.ts'
import { reportingTool } from '#web/tools/reporting/reporting-tool.ts'
import { areaTool } from '#web/tools/selecting/area-tool.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { hasReportsKey } from '#web/ui/stored-reports.ts'
import { timeZone } from '#web/ui/time-zone.ts'
import { exactBox } from '#web/workspace/box-text.ts'
import { ExportDialogs } from '#web/workspace/exporting/open-export.tsx'
import type { Camera } from '#web/workspace/map-camera.ts'
import type { OpeningState } from '#web/workspace/opening-camera.ts'
import type { Tool } from '#web/workspace/tool.ts'
import { useWorkspace, type Workspace } from '#web/workspace/use-workspace.ts'
import { WorkspaceMap } from '#web/workspace/workspace-map.tsx'
import { SkipLinks } from '../page-parts.tsx'
import { phoneLayout, sidebarKey } from './layout.ts'
import classes from './map-screen.module.css'
import { layersOff, type MapSearch } from './map-search.ts'
import type { MapVariant } from './map-variant.ts'
import { PhoneHead } from './phone-head.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const DetailPanel = lazyPart(() =>
  import('#web/features/detail-panel.tsx').then((module) => module.DetailPanel),
)
const NewReport = lazyPart(() => import('./new-report.tsx').then((module) => module.NewReport))
const PhoneSheet = lazyPart(() => import('./phone-sheet.tsx').then((module) => module.PhoneSheet))
const StaffFrame = lazyPart(() => import('../staff-frame.tsx').then((module) => module.StaffFrame))
const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp))

const toolsByStyle: Record<MapVariant['styleName'], readonly Tool[]> = {
  types: [areaTool],
  shapes: [areaTool, drawingTool],
}

type MapScreenProps = {
  variant: MapVariant
  mapId: string
  settings: PageSettings
  summary: MapSummary | undefined
  configuration: MapConfigurationAnswer | undefined
}

export const MapScreen = (props: MapScreenProps) => (
  <ExportDialogs>
    <Screen {...props} />
  </ExportDialogs>
)

function Screen(props: MapScreenProps) {
  const { variant, mapId, summary } = props
  const screenRef = useRef<HTMLDivElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  const [isCollapsed, setIsCollapsed] = useLocalStorage({ key: sidebarKey, defaultValue: false })
  const isStaff = useMay('staff', mapId)
  const filterOf = (search: MapSearch) => queryOfFilters(readFilters(search, isStaff), timeZone())
  const editorId = useEditorId(mapId)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const workspace = useWorkspace<MapSearch>({
    mapId,
    summary,
    shownOf: (search) => ({ ...filterOf(search), text: search.text }),
    selection: { zoom: variant.selectionZoom, movesOnClick: true, isStep: true },
  })
  const { address, viewport, choice, toolbox, select, show, goHome, isSettled } = workspace
  const { search } = address
  const editor = recordEditor(workspace, editorId, () => select(undefined), useQueryClient())
  const opening = useOpeningCamera(props, workspace, screenRef)
  useFollowSelection(variant, workspace)
  useEffect(() => {
    if (!isSettled) return
    void DetailPanel.preload()
    if (localStorage.getItem(hasReportsKey))
      void import('#web/reports/waiting-reports.ts').then(
        (module) => module.followConnection(),
        () => {},
      )
  }, [isSettled])
  const isReporting = search.report !== undefined && variant.styleName === 'types'
  function report(place?: LatLng) {
    if (place) workspace.mapRef.current?.flyTo({ ...place, zoom: viewport?.camera.zoom ?? 0 })
    const report = place ? 'here' : 'new'
    address.update({ report, select: undefined, add: undefined }, { isStep: true })
  }
  const closeReport = () => address.update({ report: undefined, asset: undefined })
  const hidden = layersOff(search.off)
  const isVisible = Object.fromEntries(variant.groups.map(({ key }) => [key, !hidden.includes(key)]))

  useShortcuts({
    isOff: isHelpOpen,
    escape: () => {
      if (choice.query) choice.forget()
      else if (isReporting) closeReport()
      else select(undefined)
    },
    help: () => setIsHelpOpen(true),
    search: () => {
      flushSync(() => setIsCollapsed(false))
      searchRef.current?.focus()
    },
    home: () => goHome?.(),
    tab: (index) => {
      const group = variant.groups[index]
      if (group) address.update({ tab: index === 0 ? undefined : group.key })
    },
    sidebar: () => setIsCollapsed(!isCollapsed),
  })

  const pane = {
    mapId,
    variant,
    viewBox: viewport && exactBox(viewport.extent),
    summary,
    search,
    filters: readFilters(search, isStaff),
    filter: filterOf(search),
    isVisible,
    searchRef,
    isSettled,
    isPhone,
    update: address.update,
    onSelect: show,
    onOnlyMatch: ({ location }: FeatureSummary) =>
      workspace.mapRef.current?.flyTo({ ...location, zoom: variant.selectionZoom }),
    onHelp: () => setIsHelpOpen(true),
    addButton: editor?.addButton(isPhone) ?? null,
    onReport: variant.styleName === 'types' && summary?.client && !editor ? () => report() : null,
  }
  const details =
    editor?.newRecord ||
    (isReporting && (
      <Guard what="The form" layout="panel" onClose={closeReport}>
        <NewReport workspace={workspace} onClose={closeReport} />
      </Guard>
    )) ||
    (search.select === undefined ? null : (
      <Guard what="The details" layout="panel" subject={search.select} onClose={() => select(undefined)}>
        <DetailPanel
          mapId={mapId}
          id={search.select}
          styleName={variant.styleName}
          onClose={() => select(undefined)}
          onSelect={(id) => show({ id })}
          preview={workspace.preview}
          editing={editor?.editing}
          parts={partsFor({ isStaff, editorId, onSelect: (id) => show({ id }) })}
        />
      </Guard>
    ))

  return (
    <div
      ref={screenRef}
      className={classes.screen}
      data-phone={isPhone || undefined}
      data-selected={details !== null || undefined}
      style={isPhone ? (phoneLayout as CSSProperties) : undefined}
    >
      <SkipLinks hasMap />
      {isPhone ? (
        <PhoneHead {...pane} />
      ) : (
        <Guard what="The list" layout="panel">
          <Sidebar {...pane} isCollapsed={isCollapsed} onCollapse={setIsCollapsed} />
        </Guard>
      )}
      <main className={classes.stage}>
        <div className={classes.map}>
          <ScreenMap
            {...props}
            workspace={workspace}
            opening={opening}
            editor={editor}
            isVisible={isVisible}
            onReport={pane.onReport ? (place) => report(place) : undefined}
          />
        </div>
        {!isPhone && details && (
          <div className={classes.detail} data-tool-on={toolbox.isOn || undefined}>
            {details}
          </div>
        )}
        {isPhone && (
          <Guard what="The list" layout="inline" waiting={<div className={classes.sheetPlaceholder} />}>
            <PhoneSheet {...pane} details={details} isToolOn={toolbox.isOn} />
          </Guard>
        )}
      </main>
      {isStaff && (
        <Guard what="The notice about your changes" layout="note" waiting={null}>
          <StaffFrame />
        </Guard>
      )}
      {isHelpOpen && (
        <Guard what="The list of shortcuts" layout="dialog" onClose={() => setIsHelpOpen(false)}>
          <ShortcutHelp
            isEditor={editor !== null}
            groups={variant.groups.map(({ label }) => label).join(', ')}
            isOpen
            onClose={() => setIsHelpOpen(false)}
          />
        </Guard>
      )}
    </div>
  )
}

type ScreenMapProps = MapScreenProps & {
  workspace: Workspace<MapSearch>
  opening: Camera | null
  editor: RecordEditor | null
  isVisible: Readonly<Record<string, boolean>>
  onReport: ((place: LatLng) => void) | undefined
}

function ScreenMap({ variant, workspace, editor, isVisible, ...props }: ScreenMapProps) {
  const { address } = workspace
  const baseMaps = variant.baseMapsOf(props.configuration)
  const tools = address.search.report ? [reportingTool] : toolsByStyle[variant.styleName]
  return (
    <WorkspaceMap
      {...props}
      workspace={workspace}
      styleName={variant.styleName}
      bounds={props.configuration?.configuration.mapBounds ?? null}
      baseMaps={{
        ...baseMaps,
        chosen: address.search.base,
        onChoose: (base) => address.update({ base: base === baseMaps.preferred ? undefined : base }),
      }}
      isVisible={isVisible}
      tools={editor ? [...tools, ...editor.tools] : tools}
      onAdd={editor?.add}
      legend={variant.styleName === 'types' ? <TypeLegend /> : <ShapeLegend />}
    />
  )
}

function useOpeningCamera(
  { variant, configuration, summary }: MapScreenProps,
  workspace: Workspace<MapSearch>,
  screenRef: RefObject<HTMLElement | null>,
): Camera | null {
  const { address, selected } = workspace
  const [initial] = useState(() => ({ camera: address.camera, select: address.search.select }))
  useFollowConfiguration({
    openingCameraOf: variant.openingCameraOf,
    configuration,
    summary,
    screenRef,
    isPlaced: initial.camera !== undefined || initial.select !== undefined,
    onShow: (camera) => workspace.mapRef.current?.flyTo(camera),
  })
  const [isOpened, setIsOpened] = useState(false)
  const waitsForSelection = !isOpened && !initial.camera && workspace.isSelectionPending
  if (!waitsForSelection && !isOpened) setIsOpened(true)
  if (waitsForSelection) return null
  return variant.openingCameraOf({
    // A map restarted after an error opens at the current camera.
    fromAddress: address.camera,
    selection: initial.select === undefined ? undefined : selected?.location,
    configuration,
    summary,
  })
}

function useFollowSelection(variant: MapVariant, { address, preview }: Workspace<MapSearch>) {
  const { tab, select, text } = address.search
  // A tab in the address takes precedence on opening.
  const followed = useRef(tab === undefined ? undefined : select)
  const follow = useEffectEvent((feature: FeaturePreview) => {
    const group = variant.groups.find(({ key }) => key === variant.groupOf(feature))
    if (!group || tab === 'filters') return
    address.update({ tab: group === variant.groups[0] ? undefined : group.key })
  })
  useEffect(() => {
    if (select === undefined) followed.current = undefined
    if (!preview || preview.id === followed.current) return
    // The parcel of a found incident: its tab may have no matches.
    const isBesideSearch = followed.current !== undefined && text !== undefined
    followed.current = preview.id
    if (!isBesideSearch) follow(preview)
  }, [select, preview, text])
}

type Followed = {
  openingCameraOf(state: OpeningState): Camera
  configuration: MapConfigurationAnswer | undefined
  summary: MapSummary | undefined
  /** Any input here counts as the user's own choice of view. */
  screenRef: RefObject<HTMLElement | null>
  isPlaced: boolean
  onShow(camera: Camera): void
}

/** Moves an untouched map to its new opening camera when staff apply other settings, or when the data arrives late. */
function useFollowConfiguration(followed: Followed) {
  const { openingCameraOf, configuration, summary, screenRef, isPlaced, onShow } = followed
  const isTouched = useRef(isPlaced)
  useEffect(() => {
    const screen = screenRef.current
    const touch = () => {
      isTouched.current = true
    }
    const gestures = ['pointerdown', 'wheel', 'keydown'] as const
    for (const gesture of gestures) screen?.addEventListener(gesture, touch, { capture: true, passive: true })
    return () => {
      for (const gesture of gestures) screen?.removeEventListener(gesture, touch, { capture: true })
    }
  }, [screenRef])

  const version = configuration?.version
  const hasSummary = summary !== undefined
  const previous = useRef({ version, hasSummary })
  const follow = useEffectEvent(() => {
    if (isTouched.current) return
    onShow(openingCameraOf({ fromAddress: undefined, selection: undefined, configuration, summary }))
  })
  useEffect(() => {
    const before = previous.current
    previous.current = { version, hasSummary }
    if (version !== before.version || (hasSummary && !before.hasSummary)) follow()
  }, [version, hasSummary])
}
