import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import type { PageSettings } from '#web/api/maps.api.ts'
import type { MapHandle } from '#web/map/map-view.tsx'
import { ConfigurationPanel } from '#web/map-configuration/configuration-panel.tsx'
import type { MapViewport } from '#web/map-configuration/map-viewport.ts'
import { useConfigurationDraft } from '#web/map-configuration/use-configuration-draft.ts'
import { Guard } from '#web/ui/guard.tsx'
import { useMapAddress } from '#web/workspace/use-map-address.ts'
import { FeaturesSection } from './features-section.tsx'
import classes from './map-workspace.module.css'
import { OverviewSection } from './overview-section.tsx'
import { type Section, sectionTitles } from './sections.ts'
import { type Split, SplitSlider, splits } from './split-slider.tsx'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'
import { WorkspaceMap } from './workspace-map.tsx'
import type { WorkspaceSearch } from './workspace-search.ts'

type MapWorkspaceProps = {
  section: Section
  settings: PageSettings
  summary: MapSummary
  configuration: MapConfigurationAnswer
}

/** The chosen panel beside the map. The working copy of the configuration lives as long as the map is open. */
export function MapWorkspace({ section, settings, summary, configuration }: MapWorkspaceProps) {
  const mapId = summary.id
  const mapRef = useRef<MapHandle>(null)
  const [viewport, setViewport] = useState<MapViewport | null>(null)
  const [split, setSplit] = useLocalStorage<Split>({
    key: 'poa.config.split',
    defaultValue: 1,
    getInitialValueInEffect: false,
  })
  const { search, update, camera, writeCamera } = useMapAddress<WorkspaceSearch>((travelled) =>
    mapRef.current?.jumpTo(travelled),
  )
  useLiveUpdates(mapId, () => mapRef.current?.refresh())
  const draft = useConfigurationDraft(configuration, summary.extent)
  const guard = useUnsavedGuard(draft.changes.length > 0, mapId, draft.discard)

  const name = summary.client?.name ?? 'Sample map'
  useEffect(() => {
    document.title = `${sectionTitles[section]} · ${name} – POA Land Management`
  }, [section, name])

  function showViewport(shown: MapViewport) {
    writeCamera(shown.camera)
    setViewport(shown)
  }

  return (
    <>
      <header className={classes.bar}>
        <div className={classes.titles}>
          <p className={classes.client}>
            <Link to="/config/map/$mapId/$section" params={{ mapId, section: 'map' }} title="To the overview">
              {name}
            </Link>
          </p>
          <p className={classes.section}>
            {sectionTitles[section]}
            {draft.changes.length > 0 && section !== 'configuration' && ' · settings not applied yet'}
          </p>
        </div>
        <SplitSlider value={splits.includes(split) ? split : 1} onChange={setSplit} />
      </header>
      <main className={classes.workspace} data-split={split}>
        <section className={classes.panel} aria-label={sectionTitles[section]}>
          <Guard key={section} what="This section" look="panel">
            {section === 'map' && <OverviewSection summary={summary} configuration={configuration} />}
            {section === 'configuration' && (
              <ConfigurationPanel
                draft={draft}
                viewport={viewport}
                hasParcels={summary.firstParcel !== null}
                onShowCamera={(camera) => mapRef.current?.jumpTo(camera)}
                onShowExtent={(extent) => mapRef.current?.fitExtent(extent)}
              />
            )}
            {section === 'features' && (
              <FeaturesSection mapId={mapId} search={search} update={update} mapRef={mapRef} />
            )}
          </Guard>
        </section>
        <div className={classes.map}>
          <Guard what="The map" look="panel">
            <WorkspaceMap
              mapRef={mapRef}
              settings={settings}
              summary={summary}
              configuration={configuration}
              draft={section === 'configuration' ? draft : null}
              shown={section === 'features' ? search : null}
              onSelect={(id) => update({ select: id })}
              camera={camera}
              onViewport={showViewport}
            />
          </Guard>
        </div>
      </main>
      {guard}
    </>
  )
}
