import { Button, useComputedColorScheme } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconMap, IconMapOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { featureKinds, recordOf } from '#domain/definition/kinds.ts'
import { queryOfFilters, readFilters } from '#domain/features/filters.ts'
import { middleLng } from '#domain/geometry/box.ts'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { type BaseMap, mainViewBaseMaps, selectionZoom } from '#domain/map-configuration/map-constants.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { useEditorId, useMay } from '#web/api/use-session.ts'
import { TypeLegend } from '#web/features/type-legend.tsx'
import { BoundsFrame } from '#web/map/bounds-frame.tsx'
import { CentreCross } from '#web/map/centre-cross.tsx'
import { MarkedPlace } from '#web/map/colored-shapes.tsx'
import { ConfigurationPanel } from '#web/map-configuration/configuration-panel.tsx'
import { unsavedFields } from '#web/map-configuration/custom-fields-draft.ts'
import { CustomFieldsPanel } from '#web/map-configuration/custom-fields-panel.tsx'
import { unsavedReportSettings } from '#web/map-configuration/report-settings-draft.ts'
import {
  type ConfigurationDraft,
  useConfigurationDraft,
} from '#web/map-configuration/use-configuration-draft.ts'
import { FieldChanges } from '#web/records/field-changes.tsx'
import { SavedDrawings } from '#web/tools/drawing/saving/saved-drawings.tsx'
import { selectingTool } from '#web/tools/selecting/selecting-tool.ts'
import { useIsPhone, useIsStacked } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { timeZone } from '#web/ui/time-zone.ts'
import { ExportDialogs } from '#web/workspace/exporting/open-export.tsx'
import { LeaveConfirmation } from '#web/workspace/leave-confirmation.tsx'
import { openingCamera } from '#web/workspace/opening-camera.ts'
import { useIsPlacing } from '#web/workspace/placing.ts'
import { shapeDrafts } from '#web/workspace/shaping.ts'
import { useWorkspace, type Workspace } from '#web/workspace/use-workspace.ts'
import { WorkspaceMap } from '#web/workspace/workspace-map.tsx'
import { type RecordEditor, recordEditor } from '../record-editing.tsx'
import classes from './config-map-screen.module.css'
import type { ConfigMapSearch } from './config-search.ts'
import { FeaturesSection } from './features-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { type Split, SplitSlider, splits } from './split-slider.tsx'
import { TokensSection } from './tokens-section.tsx'
import { useUndoKey } from './use-undo-key.ts'

const ImportPanel = lazyPart(() =>
  import('#web/imports/import-panel.tsx').then((module) => module.ImportPanel),
)

const ImportLayers = lazyPart(() =>
  import('#web/imports/import-layers.tsx').then((module) => module.ImportLayers),
)

const LandPanel = lazyPart(() => import('#web/land/land-panel.tsx').then((module) => module.LandPanel))

const LandLayers = lazyPart(() => import('#web/land/land-layers.tsx').then((module) => module.LandLayers))

const TriagePanel = lazyPart(() =>
  import('#web/reports/triage-panel.tsx').then((module) => module.TriagePanel),
)

const ReportSettingsPanel = lazyPart(() =>
  import('#web/map-configuration/report-settings-panel.tsx').then((module) => module.ReportSettingsPanel),
)

const WorkPanel = lazyPart(() => import('#web/work/work-panel.tsx').then((module) => module.WorkPanel))

const WebhooksPanel = lazyPart(() =>
  import('#web/webhooks/webhooks-panel.tsx').then((module) => module.WebhooksPanel),
)

const sectionTitles = {
  map: 'Overview',
  configuration: 'Map Configuration',
  fields: 'Fields',
  features: 'Map Features',
  reports: 'Reports',
  'report-settings': 'Report settings',
  work: 'Work',
  import: 'Import',
  land: 'Land',
  tokens: 'Access tokens',
  webhooks: 'Webhooks',
}
type Section = keyof typeof sectionTitles

export function isSection(text: string | undefined): text is Section {
  return text !== undefined && Object.hasOwn(sectionTitles, text)
}

type ConfigMapScreenProps = {
  section: Section
  settings: PageSettings
  summary: MapSummary
  configuration: MapConfigurationAnswer
}

export function ConfigMapScreen(props: ConfigMapScreenProps) {
  const { section, summary, configuration } = props
  const mapId = summary.id
  const [split, setSplit] = useLocalStorage<Split>({
    key: 'poa.config.split',
    defaultValue: 1,
    getInitialValueInEffect: false,
  })
  const [markedRow, setMarkedRow] = useState<LatLng | null>(null)
  const [countSlot, setCountSlot] = useState<HTMLElement | null>(null)
  const isTable = section === 'features'
  const workspace = useWorkspace<ConfigMapSearch>({
    mapId,
    summary,
    shownOf: (search) => {
      const { kind, text } = search
      return isTable ? { ...queryOfFilters(readFilters(search, true), timeZone()), kind, text } : {}
    },
    selection: isTable ? { zoom: selectionZoom, movesOnClick: false, isStep: false } : null,
  })
  const editorId = useEditorId(mapId)
  const fold = useMapFold(section, mapId, editorId)
  const queryClient = useQueryClient()
  const editorOf = (onRemove: () => void) => recordEditor(workspace, editorId, onRemove, queryClient)
  const draft = useConfigurationDraft(configuration, summary.extent)
  const hasChanges = draft.changes.length > 0
  const fields = unsavedFields(mapId, editorId ?? '')
  const hasFields = fields.use() !== null
  const reportSettings = unsavedReportSettings(mapId, editorId ?? '')
  const hasReportSettings = reportSettings.use() !== null

  const name = summary.client?.name ?? 'Sample map'
  usePageTitle(`${sectionTitles[section]} · ${name}`)

  return (
    <ExportDialogs>
      <header className={classes.bar}>
        <div className={classes.titles}>
          <p className={classes.client}>
            <Link to="/config/map/$mapId/$section" params={{ mapId, section: 'map' }} title="Overview">
              {name}
            </Link>
          </p>
          <div className={classes.section}>
            <h1>{sectionTitles[section]}</h1>
            <p ref={setCountSlot} role="status" />
            {hasChanges && section !== 'configuration' && <p>· settings not applied yet</p>}
            {hasFields && section !== 'fields' && <p>· fields not saved yet</p>}
            {hasReportSettings && section !== 'report-settings' && <p>· report settings not saved yet</p>}
          </div>
        </div>
        {fold.hasMap && (
          <div className={classes.room}>
            {!fold.isFolded && !fold.isPhone && (
              <SplitSlider
                isStacked={fold.isStacked}
                value={splits.includes(split) ? split : 1}
                onChange={setSplit}
              />
            )}
            {fold.isStacked && !fold.isShaping && <FoldButton {...fold} />}
          </div>
        )}
      </header>
      <main
        className={classes.workspace}
        data-split={fold.isPhone ? (fold.isShaping ? 2 : 1) : split}
        data-shaping={(fold.isShaping && isTable) || undefined}
        data-folded={fold.isFolded ? (fold.hasMap ? 'by-choice' : 'always') : undefined}
      >
        <section className={classes.panel} aria-label={sectionTitles[section]}>
          <Guard key={section} what="This section" layout="panel">
            <SectionPanel
              {...props}
              workspace={workspace}
              draft={draft}
              editorOf={editorOf}
              isMapFolded={fold.isFolded}
              onUnfoldMap={fold.unfold}
              markedRow={markedRow}
              onMarkRow={setMarkedRow}
              countSlot={countSlot}
            />
          </Guard>
        </section>
        <div className={classes.map}>
          <SectionMap
            {...props}
            workspace={workspace}
            draft={section === 'configuration' ? draft : null}
            markedRow={markedRow}
            editor={isTable || section === 'land' ? editorOf(() => workspace.select(undefined)) : null}
          />
        </div>
      </main>
      <LeaveConfirmation
        wordsFor={({ to }) => {
          const unsaved = formatList(
            [
              hasChanges ? 'settings' : [],
              hasFields ? 'fields' : [],
              hasReportSettings ? 'report settings' : [],
            ].flat(),
          )
          if (unsaved === '' || to.startsWith(`/config/map/${mapId}/`)) return null
          return {
            title: `Unsaved ${unsaved}`,
            text: `Your changes to ${unsaved} will be discarded.`,
            go: hasChanges ? 'Leave without applying' : 'Leave without saving',
          }
        }}
        onLeave={() => {
          draft.discard()
          fields.set(null)
          reportSettings.set(null)
        }}
      />
    </ExportDialogs>
  )
}

function ReportsSection(props: ComponentProps<typeof TriagePanel>) {
  useUndoKey(props.mapId, undefined)
  return <TriagePanel {...props} />
}

type SectionPanelProps = ConfigMapScreenProps & {
  workspace: Workspace<ConfigMapSearch>
  draft: ConfigurationDraft
  editorOf(onRemove: () => void): RecordEditor | null
  isMapFolded: boolean
  onUnfoldMap(): void
  markedRow: LatLng | null
  onMarkRow(place: LatLng): void
  countSlot: HTMLElement | null
}

function SectionPanel({ section, summary, configuration, workspace, draft, ...props }: SectionPanelProps) {
  const { address, mapRef, viewport } = workspace
  const mapId = summary.id
  const fitExtent = (extent: Bounds) => mapRef.current?.fitExtent(extent)
  switch (section) {
    case 'map':
      return <OverviewSection summary={summary} configuration={configuration} />
    case 'configuration':
      return (
        <ConfigurationPanel
          draft={draft}
          viewport={viewport}
          hasParcels={summary.firstParcel !== null}
          areVersionsOpen={address.search.versions === 'open'}
          onShowVersions={(areOpen) => address.update({ versions: areOpen ? 'open' : undefined })}
          onShowCamera={(camera) => mapRef.current?.jumpTo(camera)}
          onShowExtent={fitExtent}
          onShowMap={props.isMapFolded ? props.onUnfoldMap : null}
        />
      )
    case 'fields':
      return <CustomFieldsPanel mapId={mapId} />
    case 'features':
      return (
        <FeaturesSection
          workspace={workspace}
          summary={summary}
          countSlot={props.countSlot}
          editorOf={props.editorOf}
        />
      )
    case 'reports':
      return (
        <ReportsSection
          mapId={mapId}
          selectedId={address.search.report}
          onSelect={(report) => address.update({ report })}
          onShow={({ lat, lng }) => {
            props.onMarkRow({ lat, lng })
            mapRef.current?.flyTo({ lat, lng, zoom: reportZoom })
          }}
        />
      )
    case 'report-settings':
      return <ReportSettingsPanel mapId={mapId} />
    case 'work':
      return <WorkPanel mapId={mapId} view={address.search.view ?? 'all'} />
    case 'import':
      return (
        <ImportPanel
          mapId={mapId}
          draftId={address.search.import}
          onOpen={(draftId) => address.update({ import: draftId, rows: undefined })}
          rows={{
            land: summary.extent,
            view: viewport?.extent ?? null,
            onFollow: fitExtent,
            shown: address.search.rows,
            onShow: (rows) => address.update({ rows }),
            marked: props.markedRow,
            onShowOnMap: ({ lat, lng }) => {
              props.onUnfoldMap()
              props.onMarkRow({ lat, lng })
              mapRef.current?.flyTo({ lat, lng, zoom: selectionZoom })
            },
            onShowAllOnMap: (extent) => {
              props.onUnfoldMap()
              fitExtent(extent)
            },
            renderChanges: (kind, changes, areNew) => (
              <FieldChanges mapId={mapId} kind={kind} changes={changes} names={{}} areNew={areNew} />
            ),
          }}
        />
      )
    case 'land':
      return (
        <LandPanel
          mapId={mapId}
          extent={viewport?.extent ?? null}
          asOf={address.search.asOf}
          onAsOf={(asOf) => address.update({ asOf })}
          onShow={(extent) => {
            const middle = { lat: (extent.south + extent.north) / 2, lng: middleLng(extent) }
            props.onUnfoldMap()
            props.onMarkRow(middle)
            const size = Math.max(extent.north - extent.south, extent.east - extent.west)
            if (size > widestProblem) fitExtent({ ...extent, south: extent.south - size })
            else mapRef.current?.flyTo({ ...middle, lat: middle.lat - problemDrop, zoom: problemZoom })
          }}
          onEdit={props.onUnfoldMap}
        />
      )
    case 'tokens':
      return <TokensSection mapId={mapId} />
    case 'webhooks':
      return (
        <WebhooksPanel
          mapId={mapId}
          openId={address.search.webhook}
          onOpen={(webhook) => address.update({ webhook })}
        />
      )
  }
}

type SectionMapProps = ConfigMapScreenProps & {
  workspace: Workspace<ConfigMapSearch>
  draft: ConfigurationDraft | null
  markedRow: LatLng | null
  editor: RecordEditor | null
}

/** Shows the bounds without enforcing them, so that managers see the land outside. */
function SectionMap({
  section,
  settings,
  summary,
  configuration,
  workspace,
  draft,
  markedRow,
  editor,
}: SectionMapProps) {
  const mapId = summary.id
  const isStaff = useMay('staff', mapId)
  const [baseMap, setBaseMap] = useState<BaseMap>()
  const { address, viewport, selected, show } = workspace
  const { select, import: draftId, rows } = address.search
  const isTable = section === 'features'
  // A link to a feature contains no camera: the map goes to the feature.
  const isLink = isTable && select !== undefined && address.camera === undefined
  const showLinked = useEffectEvent((id: string) => show({ id }))
  useEffect(() => {
    if (isLink) showLinked(select)
  }, [isLink, select])
  const isWaiting = isLink && workspace.isSelectionPending && viewport === null
  const opening = { fromAddress: address.camera, selection: selected?.location, configuration, summary }
  // 'Map Configuration' shows the view that visitors get.
  const isPlaced = section === 'configuration' || address.camera !== undefined || selected !== null
  const whole = isPlaced ? undefined : (summary.extent ?? undefined)
  return (
    <WorkspaceMap
      workspace={workspace}
      settings={settings}
      configuration={configuration}
      styleName="types"
      opening={isWaiting ? null : { ...openingCamera(opening), whole }}
      bounds={null}
      baseMaps={{ ...baseMapsOf(configuration, draft), chosen: baseMap, onChoose: setBaseMap }}
      isVisible={allKinds}
      legend={<TypeLegend />}
      printsAll={isTable && select === undefined}
      tools={editor ? [...editor.tools, selectingTool] : []}
      onAdd={editor?.add}
      layers={
        <>
          {isStaff && <SavedDrawings mapId={mapId} />}
          {draft && <DraftMarks draft={draft} />}
          {section === 'land' && isStaff && (
            <LandLayers
              mapId={mapId}
              extent={viewport?.extent ?? null}
              asOf={address.search.asOf}
              marked={markedRow}
            />
          )}
          {section === 'reports' && markedRow && <MarkedPlace place={markedRow} color="#1c7ed6" />}
          {section === 'import' && draftId !== undefined && (
            <ImportLayers
              mapId={mapId}
              draftId={draftId}
              shown={rows}
              extent={viewport?.extent ?? null}
              marked={markedRow}
            />
          )}
        </>
      }
    />
  )
}

const reportZoom = 16

/** A gap of 10 cm is a few pixels wide. */
const problemZoom = 21
/** Degrees. Problems are shown in the upper half, above the bar of the shape editor. */
const problemDrop = 4e-5

/** Degrees: about 40 m, which this zoom still shows. */
const widestProblem = 4e-4

const besideMap: readonly Section[] = ['map', 'features']

const withoutMap: readonly Section[] = ['fields', 'report-settings', 'tokens', 'webhooks']

/**
 * Narrow screens show the map above the panel. On phones it is folded at first, except in the overview; the choice
 * applies per section. Records are placed and shapes edited on the visible map.
 */
function useMapFold(section: Section, mapId: string, editorId: string | null) {
  const isPlacing = useIsPlacing()
  const isDraftOpen = shapeDrafts(editorId ?? '', mapId).use()?.isPaused === false
  const isShaping = isDraftOpen && (section === 'features' || section === 'land')
  const isPhone = useIsPhone()
  const isStacked = useIsStacked()
  const [chosen, setChosen] = useState<Partial<Record<Section, boolean>>>({})
  const isInitiallyFolded = isPhone || !besideMap.includes(section)
  const hasMap = !withoutMap.includes(section)
  const isFolded =
    !hasMap || (isStacked && !isPlacing && !isShaping && (chosen[section] ?? isInitiallyFolded))
  const set = (isFolded: boolean) => setChosen({ ...chosen, [section]: isFolded })
  return {
    hasMap,
    isPhone,
    isStacked,
    isShaping,
    isFolded,
    toggle: () => set(!isFolded),
    unfold: () => set(false),
  }
}

type FoldButtonProps = Pick<ReturnType<typeof useMapFold>, 'isFolded' | 'isPhone' | 'toggle'>

function FoldButton({ isFolded, isPhone, toggle }: FoldButtonProps) {
  const Icon = isFolded ? IconMap : IconMapOff
  const name = isFolded ? 'Show map' : 'Hide map'
  const short = isFolded ? 'Map' : 'Hide'
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={16} aria-hidden="true" />}
      aria-label={name}
      onClick={toggle}
    >
      {isPhone ? short : name}
    </Button>
  )
}

function DraftMarks({ draft }: { draft: ConfigurationDraft }) {
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <>
      <BoundsFrame
        bounds={draft.preview.mapBounds}
        landOutside={draft.outside.landOutside === 'none' ? null : draft.land}
        isDark={isDark}
      />
      <CentreCross
        position={draft.preview.center}
        onMove={draft.isReadOnly ? undefined : (center) => draft.setCenter(center)}
      />
    </>
  )
}

const allKinds = recordOf(featureKinds, () => true)

function baseMapsOf(
  configuration: MapConfigurationAnswer,
  draft: ConfigurationDraft | null,
): { offered: readonly BaseMap[]; preferred: BaseMap } {
  const { mapTypes, defaultMapType } = draft ? draft.values : configuration.configuration
  if (draft || configuration.isApplied) return { offered: mapTypes, preferred: defaultMapType }
  return { offered: mainViewBaseMaps, preferred: 'street' }
}
