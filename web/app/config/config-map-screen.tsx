import { ActionIcon, Button, useComputedColorScheme } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMap, IconMapOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { type BaseMap, mainViewBaseMaps, selectionZoom } from '#domain/map-configuration/map-constants.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { useEditorId, useMay } from '#web/api/use-session.ts'
import { BoundsFrame } from '#web/map/bounds-frame.tsx'
import { CentreCross } from '#web/map/centre-cross.tsx'
import { ConfigurationPanel } from '#web/map-configuration/configuration-panel.tsx'
import { OwnFieldsPanel } from '#web/map-configuration/own-fields-panel.tsx'
import {
  type ConfigurationDraft,
  useConfigurationDraft,
} from '#web/map-configuration/use-configuration-draft.ts'
import { FieldChanges } from '#web/records/field-changes.tsx'
import { SavedDrawings } from '#web/tools/drawing/saving/saved-drawings.tsx'
import { selectingTool } from '#web/tools/selecting/selecting-tool.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { ExportDialogs } from '#web/workspace/exporting/export-dialog.tsx'
import { LeaveQuestion } from '#web/workspace/leave-question.tsx'
import { openingCamera } from '#web/workspace/opening-camera.ts'
import { useWorkspace } from '#web/workspace/use-workspace.ts'
import { WorkspaceMap } from '#web/workspace/workspace-map.tsx'
import { recordEditor } from '../record-editing.tsx'
import classes from './config-map-screen.module.css'
import type { ConfigMapSearch } from './config-map-search.ts'
import { FeaturesSection } from './features-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { type Split, SplitSlider, splits } from './split-slider.tsx'
import { TokensSection } from './tokens-section.tsx'

const ImportPanel = lazyPart(() =>
  import('#web/imports/import-panel.tsx').then((module) => module.ImportPanel),
)

const ImportLayers = lazyPart(() =>
  import('#web/imports/import-layers.tsx').then((module) => module.ImportLayers),
)

const WebhooksPanel = lazyPart(() =>
  import('#web/webhooks/webhooks-panel.tsx').then((module) => module.WebhooksPanel),
)

/** Section 2 of the specification, and the summary that stands where no other is named. */
const sections = ['map', 'configuration', 'fields', 'features', 'import', 'tokens', 'webhooks'] as const
type Section = (typeof sections)[number]

export function isSection(text: string | undefined): text is Section {
  return sections.some((section) => section === text)
}

const sectionTitles: Record<Section, string> = {
  map: 'Overview',
  configuration: 'Map Configuration',
  fields: 'Fields',
  features: 'Map Features',
  import: 'Import',
  tokens: 'API Tokens',
  webhooks: 'Webhooks',
}

type ConfigMapScreenProps = {
  section: Section
  settings: PageSettings
  summary: MapSummary
  configuration: MapConfigurationAnswer
}

/**
 * The chosen panel beside the map. The working copy of the configuration lives as long as the map is open. Bounds are
 * shown, not enforced: whoever sets them must see what lies outside.
 */
export function ConfigMapScreen({ section, settings, summary, configuration }: ConfigMapScreenProps) {
  const mapId = summary.id
  const isStaff = useMay('staff', mapId)
  const [split, setSplit] = useLocalStorage<Split>({
    key: 'poa.config.split',
    defaultValue: 1,
    getInitialValueInEffect: false,
  })
  const [baseMap, setBaseMap] = useState<BaseMap>()
  const fold = useMapFold(section)
  // The table's filters hold for the map beside it; every other section shows all there is.
  const isTable = section === 'features'
  const workspace = useWorkspace<ConfigMapSearch>({
    mapId,
    summary,
    shownOf: ({ type, status, severity, due, text }) =>
      isTable ? { type, status, severity, due, text } : {},
    selection: isTable ? { zoom: selectionZoom, movesOnClick: false, isStep: false } : null,
  })
  const { address, mapRef, viewport, selected, show } = workspace
  const { select } = address.search
  const editorId = useEditorId(mapId)
  const queryClient = useQueryClient()
  const editor = recordEditor(workspace, editorId, () => workspace.select(undefined), queryClient)
  // A link to a feature says nothing of where it is: the map opens there, or goes there.
  const isLink = isTable && select !== undefined && address.camera === undefined
  const showLinked = useEffectEvent((id: string) => show({ id }))
  useEffect(() => {
    if (isLink) showLinked(select)
  }, [isLink, select])
  const draft = useConfigurationDraft(configuration, summary.extent)
  const shownDraft = section === 'configuration' ? draft : null
  const hasChanges = draft.changes.length > 0

  const name = summary.client?.name ?? 'Sample map'
  useEffect(() => {
    document.title = `${sectionTitles[section]} · ${name} – POA Land Management`
  }, [section, name])

  return (
    <ExportDialogs>
      <header className={classes.bar}>
        <div className={classes.titles}>
          <p className={classes.client}>
            <Link to="/config/map/$mapId/$section" params={{ mapId, section: 'map' }} title="To the overview">
              {name}
            </Link>
          </p>
          <p className={classes.section}>
            {sectionTitles[section]}
            {hasChanges && section !== 'configuration' && ' · settings not applied yet'}
          </p>
        </div>
        <div className={classes.room}>
          {fold.isFolded ? (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconMap size={16} aria-hidden="true" />}
              onClick={fold.toggle}
            >
              Show map
            </Button>
          ) : (
            <SplitSlider value={splits.includes(split) ? split : 1} onChange={setSplit} />
          )}
          {fold.isPhone && !fold.isFolded && (
            <ActionIcon variant="default" size={44} aria-label="Hide map" onClick={fold.toggle}>
              <IconMapOff size={18} />
            </ActionIcon>
          )}
        </div>
      </header>
      <main className={classes.workspace} data-split={split} data-folded={fold.isFolded || undefined}>
        <section className={classes.panel} aria-label={sectionTitles[section]}>
          <Guard key={section} what="This section" layout="panel">
            {section === 'map' && <OverviewSection summary={summary} configuration={configuration} />}
            {section === 'configuration' && (
              <ConfigurationPanel
                draft={draft}
                viewport={viewport}
                hasParcels={summary.firstParcel !== null}
                areVersionsOpen={address.search.versions === 'open'}
                onShowVersions={(areOpen) => address.update({ versions: areOpen ? 'open' : undefined })}
                onShowCamera={(camera) => mapRef.current?.jumpTo(camera)}
                onShowExtent={(extent) => mapRef.current?.fitExtent(extent)}
              />
            )}
            {section === 'fields' && <OwnFieldsPanel mapId={mapId} />}
            {section === 'import' && (
              <ImportPanel
                mapId={mapId}
                draftId={address.search.import}
                onOpen={(draftId) => address.update({ import: draftId, rows: undefined })}
                rows={{
                  land: summary.extent,
                  view: viewport?.extent ?? null,
                  onFollow: (extent) => mapRef.current?.fitExtent(extent),
                  shown: address.search.rows,
                  onShow: (rows) => address.update({ rows }),
                  onLook: ({ lat, lng }) => {
                    fold.unfold()
                    mapRef.current?.flyTo({ lat, lng, zoom: selectionZoom })
                  },
                  onLookAll: (extent) => {
                    fold.unfold()
                    mapRef.current?.fitExtent(extent)
                  },
                  tellChanges: (kind, changes) => (
                    <FieldChanges mapId={mapId} kind={kind} changes={changes} names={{}} />
                  ),
                }}
              />
            )}
            {section === 'tokens' && <TokensSection mapId={mapId} />}
            {section === 'webhooks' && (
              <WebhooksPanel
                mapId={mapId}
                openId={address.search.webhook}
                onOpen={(webhook) => address.update({ webhook })}
              />
            )}
            {section === 'features' && (
              <FeaturesSection
                workspace={workspace}
                summary={summary}
                editorOf={(onRemove) => recordEditor(workspace, editorId, onRemove, queryClient)}
              />
            )}
          </Guard>
        </section>
        <div className={classes.map}>
          <WorkspaceMap
            workspace={workspace}
            settings={settings}
            configuration={configuration}
            look="types"
            opening={
              isLink && workspace.isSelectionPending && viewport === null
                ? null
                : openingCamera({
                    fromAddress: address.camera,
                    selection: selected?.location,
                    configuration,
                    summary,
                  })
            }
            bounds={null}
            baseMaps={{ ...baseMapsOf(configuration, shownDraft), chosen: baseMap, onChoose: setBaseMap }}
            isVisible={visibleKinds(isTable ? address.search.kind : undefined)}
            hasNames={false}
            tools={editor && isTable ? [editor.tool, selectingTool] : []}
            onAdd={isTable ? editor?.add : undefined}
            layers={
              <>
                {isStaff && <SavedDrawings mapId={mapId} />}
                {shownDraft && <DraftMarks draft={shownDraft} />}
                {section === 'import' && address.search.import !== undefined && (
                  <ImportLayers
                    mapId={mapId}
                    draftId={address.search.import}
                    shown={address.search.rows}
                    extent={viewport?.extent ?? null}
                  />
                )}
              </>
            }
          />
        </div>
      </main>
      {/* From one section of the map to another they come along. */}
      <LeaveQuestion
        wordsFor={({ to }) =>
          hasChanges && !to.startsWith(`/config/map/${mapId}/`)
            ? {
                title: 'Unsaved settings',
                text: 'The settings you have changed are not applied yet. Leaving throws them away.',
                go: 'Leave without applying',
              }
            : null
        }
        onLeave={draft.discard}
      />
    </ExportDialogs>
  )
}

/** They are about what is in view; the others need the room. */
const besideMap: readonly Section[] = ['map', 'features']

/**
 * On a phone the map stands above the panel. It folds away where there is little room for both: beside a form, and on a
 * phone that lies on its side. What somebody chose for a section holds while the map is open.
 */
function useMapFold(section: Section) {
  const isPhone = useIsPhone()
  const isLow = useMediaQuery('(max-height: 500px)', false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<Partial<Record<Section, boolean>>>({})
  const isFolded = isPhone && (chosen[section] ?? (!besideMap.includes(section) || isLow))
  const set = (isFolded: boolean) => setChosen({ ...chosen, [section]: isFolded })
  return { isPhone, isFolded, toggle: () => set(!isFolded), unfold: () => set(false) }
}

/** Where the map would open, and what it could be moved in. */
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

function visibleKinds(only: FeatureKind | undefined): Record<FeatureKind, boolean> {
  const isVisible = (kind: FeatureKind) => only === undefined || only === kind
  return { incident: isVisible('incident'), asset: isVisible('asset'), parcel: isVisible('parcel') }
}

function baseMapsOf(
  configuration: MapConfigurationAnswer,
  draft: ConfigurationDraft | null,
): { offered: readonly BaseMap[]; preferred: BaseMap } {
  const { mapTypes, defaultMapType } = draft ? draft.values : configuration.configuration
  if (draft || configuration.isApplied) return { offered: mapTypes, preferred: defaultMapType }
  return { offered: mainViewBaseMaps, preferred: 'street' }
}
