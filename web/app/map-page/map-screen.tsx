import { useLocalStorage } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { questionOfFilters, readMapFilters } from '#domain/features/filters.ts'
import type { KnownFeature } from '#domain/features/known-feature.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { useEditorId, useMay } from '#web/api/use-session.ts'
import { ShapeLegend } from '#web/features/shape-legend.tsx'
import { TypeLegend } from '#web/features/type-legend.tsx'
import { drawingTool } from '#web/tools/drawing/drawing-tool.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { exactBox } from '#web/workspace/box-text.ts'
import { ExportDialogs } from '#web/workspace/exporting/export-dialog.tsx'
import type { Tool } from '#web/workspace/tool.ts'
import { useWorkspace, type Workspace } from '#web/workspace/use-workspace.ts'
import { WorkspaceMap } from '#web/workspace/workspace-map.tsx'
import { partsFor } from '../feature-parts.tsx'
import { recordEditor } from '../record-editing.tsx'
import { phoneLayout, sidebarKey } from './layout.ts'
import classes from './map-screen.module.css'
import { layersOff, type MapSearch } from './map-search.ts'
import type { MapVariant } from './map-variant.ts'
import { PhoneHead } from './phone-head.tsx'
import { Sidebar } from './sidebar.tsx'
import { useFollowConfiguration } from './use-follow-configuration.ts'
import { useShortcuts } from './use-shortcuts.ts'

const DetailPanel = lazyPart(() =>
  import('#web/features/detail-panel.tsx').then((module) => module.DetailPanel),
)
const PhoneSheet = lazyPart(() => import('./phone-sheet.tsx').then((module) => module.PhoneSheet))
const StaffFrame = lazyPart(() => import('../staff-frame.tsx').then((module) => module.StaffFrame))
const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp))

/** What can be done on the map beyond looking, by the look of it. */
const toolsOf: Record<MapVariant['look'], readonly Tool[]> = { types: [], shapes: [drawingTool] }

type MapScreenProps = {
  variant: MapVariant
  mapId: string
  settings: PageSettings
  /** Undefined where it could not be had; the map then opens without it. */
  summary: MapSummary | undefined
  configuration: MapConfigurationAnswer | undefined
}

/** Main view and viewer: the map beside its list, for everybody. */
export const MapScreen = (props: MapScreenProps) => (
  <ExportDialogs>
    <Screen {...props} />
  </ExportDialogs>
)

function Screen({ variant, mapId, settings, summary, configuration }: MapScreenProps) {
  const screenRef = useRef<HTMLDivElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  const [isCollapsed, setIsCollapsed] = useLocalStorage({ key: sidebarKey, defaultValue: false })
  const isStaff = useMay('staff', mapId)
  const editorId = useEditorId(mapId)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const filterOf = (search: MapSearch) => questionOfFilters(readMapFilters(search), new Date())
  const shownOf = (search: MapSearch) => ({ ...filterOf(search), text: search.text })
  const workspace = useWorkspace<MapSearch>({
    mapId,
    summary,
    shownOf,
    selection: { zoom: variant.selectionZoom, movesOnClick: true, isStep: true },
  })
  const { address, selected, viewport, choice, toolbox, select, show, goHome } = workspace
  const { search } = address
  const editor = recordEditor(workspace, editorId, () => select(undefined), useQueryClient())

  const [opening] = useState(() => ({ camera: address.camera, select: search.select }))
  useFollowConfiguration({
    openingCameraOf: variant.openingCameraOf,
    configuration,
    summary,
    screenRef,
    isPlaced: opening.camera !== undefined || opening.select !== undefined,
    onShow: (camera) => workspace.mapRef.current?.flyTo(camera),
  })
  // Once the map is there it stays: a selection that is closed is pending again.
  const [isOpened, setIsOpened] = useState(false)
  const waitsForSelection = !isOpened && !opening.camera && workspace.isSelectionPending
  if (!waitsForSelection && !isOpened) setIsOpened(true)

  useFollowSelection(variant, workspace)
  const { isSettled } = workspace
  // So that a click need not wait for them.
  useEffect(() => {
    if (isSettled) void DetailPanel.preload()
  }, [isSettled])

  const baseMaps = variant.baseMapsOf(configuration)
  const off = layersOff(search.off)
  const isVisible = Object.fromEntries(variant.groups.map(({ key }) => [key, !off.includes(key)]))
  const tools = editor ? [...toolsOf[variant.look], editor.tool] : toolsOf[variant.look]

  useShortcuts({
    isOff: isHelpOpen,
    escape: () => (choice.asked ? choice.forget() : select(undefined)),
    help: () => setIsHelpOpen(true),
    search: () => {
      // The box is not there before the sidebar is.
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
    filters: readMapFilters(search),
    filter: filterOf(search),
    isVisible,
    searchRef,
    isSettled,
    isPhone,
    update: address.update,
    onSelect: show,
    onHelp: () => setIsHelpOpen(true),
    addButton: editor?.addButton(isPhone) ?? null,
  }
  const details =
    editor?.newRecord ||
    (search.select === undefined ? null : (
      <Guard what="The details" layout="panel" subject={search.select} onClose={() => select(undefined)}>
        <DetailPanel
          mapId={mapId}
          id={search.select}
          look={variant.look}
          onClose={() => select(undefined)}
          onSelect={(id) => show({ id })}
          known={workspace.known}
          editing={editor?.editing}
          parts={partsFor({ isStaff, editorId })}
        />
      </Guard>
    ))

  return (
    <div
      ref={screenRef}
      className={classes.screen}
      data-phone={isPhone || undefined}
      style={isPhone ? (phoneLayout as CSSProperties) : undefined}
    >
      {isPhone && <PhoneHead summary={summary} />}
      {!isPhone && (
        <Guard what="The list" layout="panel">
          <Sidebar {...pane} isCollapsed={isCollapsed} onCollapse={setIsCollapsed} />
        </Guard>
      )}
      <main className={classes.stage}>
        <div className={classes.map}>
          <WorkspaceMap
            workspace={workspace}
            settings={settings}
            configuration={configuration}
            look={variant.look}
            opening={
              waitsForSelection
                ? null
                : variant.openingCameraOf({
                    // A map that has failed begins again where it was.
                    fromAddress: address.camera,
                    selection: opening.select === undefined ? undefined : selected?.location,
                    configuration,
                    summary,
                  })
            }
            bounds={configuration?.configuration.mapBounds ?? null}
            baseMaps={{
              ...baseMaps,
              chosen: search.base,
              onChoose: (base) => address.update({ base: base === baseMaps.preferred ? undefined : base }),
            }}
            isVisible={isVisible}
            hasNames
            tools={tools}
            onAdd={editor?.add}
            legend={
              variant.look === 'types' ? (
                <TypeLegend isVisible={isVisible} counts={summary?.counts} />
              ) : (
                <ShapeLegend isVisible={isVisible} />
              )
            }
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
        <Guard what="What tells of your changes" layout="note" waiting={null}>
          <StaffFrame isOverMap />
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

/** The list turns to the tab of what is selected. Whoever looks at the filters goes on doing so. */
function useFollowSelection(variant: MapVariant, { address, known }: Workspace<MapSearch>) {
  const { tab, select } = address.search
  // A link that names a tab means it.
  const followed = useRef(tab === undefined ? undefined : select)
  const follow = useEffectEvent((feature: KnownFeature) => {
    const group = variant.groups.find(({ key }) => key === variant.groupOf(feature))
    if (!group || tab === 'filters') return
    address.update({ tab: group === variant.groups[0] ? undefined : group.key })
  })
  useEffect(() => {
    if (select === undefined) followed.current = undefined
    if (!known || known.id === followed.current) return
    followed.current = known.id
    follow(known)
  }, [select, known])
}
