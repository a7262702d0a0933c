import { useComputedColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { featureName } from '#domain/features/definitions.ts'
import { middleLng } from '#domain/geometry/box.ts'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { featureDetailQuery, namesQuery } from '#web/api/features.api.ts'
import { MapNotice } from '#web/map/map-notices.tsx'
import type { MapClick } from '#web/map/map-view.tsx'
import { MyLocation } from '#web/map/my-location.tsx'
import type { MapOpening } from '#web/map/start-map.ts'
import { Guard } from '#web/ui/guard.tsx'
import { useIsPreparingPrint } from '#web/ui/printing.ts'
import { type BaseMapChoice, chosenBaseMap } from './base-map-choice.ts'
import { roundedBox } from './box-text.ts'
import { MapView } from './lazy-map.ts'
import { LeaveConfirmation } from './leave-confirmation.tsx'
import { MapContents, ViewButtons } from './map-controls.tsx'
import type { RecordStart } from './placing.ts'
import { type Tool, ToolboxContext } from './tool.ts'
import { Toolbars } from './toolbar.tsx'
import { useLocating } from './use-locating.ts'
import type { ShownTiles } from './use-shown-tiles.ts'
import type { Workspace } from './use-workspace.ts'
import { WhatIsHere } from './what-is-here.tsx'
import classes from './workspace-map.module.css'

const labelsFromZoom = 15
/** Print is finer. */
const labelsOnPaperFromZoom = 13
/** Names of roads and waters, for base maps without labels. */
const lineNamesFromZoom = 13

type WorkspaceMapProps = {
  workspace: Workspace
  settings: PageSettings
  configuration: MapConfigurationAnswer | undefined
  styleName: 'types' | 'shapes'
  opening: MapOpening['camera'] | null
  bounds: Bounds | null
  baseMaps: BaseMapChoice & { onChoose(baseMap: BaseMap): void }
  isVisible: Readonly<Record<string, boolean>>
  tools: readonly Tool[]
  onAdd?: ((start: RecordStart) => void) | undefined
  onReport?: ((place: LatLng) => void) | undefined
  layers?: ReactNode
  legend?: ReactNode
  /** Prints all land, as the list beside it is not limited to the view. */
  printsAll?: boolean
}

export function WorkspaceMap(props: WorkspaceMapProps) {
  if (!props.opening) return null
  return (
    <Guard what="The map" layout="panel" waiting={<div className={classes.placeholder} />}>
      <OpenMap {...props} opening={props.opening} />
    </Guard>
  )
}

function OpenMap({
  workspace,
  settings,
  opening,
  ...props
}: WorkspaceMapProps & { opening: MapOpening['camera'] }) {
  const { mapId, summary, mapRef, choice, toolbox, hovered, setHovered, viewport } = workspace
  const { isVisible, tools, configuration, onAdd } = props
  const { offered, onChoose } = props.baseMaps
  const isForPaper = useIsPreparingPrint()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isDark = scheme === 'dark' && !isForPaper
  const baseMap = chosenBaseMap(props.baseMaps)
  const zoom = viewport?.camera.zoom ?? 0
  const isNear = viewport !== null && zoom >= (isForPaper ? labelsOnPaperFromZoom : labelsFromZoom)
  const labelBox = isNear ? roundedBox(viewport.extent) : null
  const labels = useQuery(namesQuery(mapId, 'parcels', labelBox))
  const locating = useLocating({ mapRef, bounds: props.bounds, camera: viewport?.camera })
  const [isGroundShown, setIsGroundShown] = useState(false)
  const isGroundNamed = isGroundShown && zoom >= lineNamesFromZoom
  const lineBox = isGroundNamed && viewport ? roundedBox(viewport.extent) : null
  const lineNames = useQuery(namesQuery(mapId, 'lines', lineBox))

  function onClick(click: MapClick) {
    setHovered(null)
    if (toolbox.click(click)) choice.forget()
    else choice.clickMap(click)
  }
  function onLongPress(click: MapClick): boolean {
    const isHandled = toolbox.longPress(click)
    if (isHandled === null) choice.askWhatIsHere(click)
    return isHandled ?? true
  }

  return (
    <>
      <MapView
        ref={mapRef}
        label="Map"
        camera={opening}
        bounds={props.bounds}
        baseMap={baseMap}
        tileServices={settings.tileServices}
        isDark={isDark}
        styleName={props.styleName}
        tiles={workspace.shownTiles.tiles}
        rest={workspace.shownTiles.rest}
        isDataAwaited={workspace.shownTiles.isSearching}
        isVisible={isVisible}
        selection={{ preview: workspace.preview, geometry: workspace.selected?.geometry ?? null }}
        paper={{ land: summary?.extent ?? null, isWhole: props.printsAll ?? false }}
        place={townLabel(summary)}
        lineNames={lineBox === null ? [] : (lineNames.data?.items ?? [])}
        onGroundChange={setIsGroundShown}
        parcelNames={labelBox === null ? [] : (labels.data?.items ?? [])}
        onCameraChange={(camera, extent) => {
          workspace.address.writeCamera(camera)
          workspace.setViewport({ camera, extent })
        }}
        onComplete={workspace.settle}
        isSettled={workspace.isSettled}
        isToolOn={toolbox.isOn}
        onClick={workspace.isSelectable ? onClick : undefined}
        onHover={(hover) => setHovered(hover && { id: hover.hit.id, ...hover.point })}
        onLongPress={workspace.isSelectable ? onLongPress : undefined}
        notices={
          <>
            <SearchNotices {...workspace.shownTiles} />
            {locating.problem !== null && (
              <MapNotice onRetry={null} onDismiss={locating.dismiss}>
                {locating.problem}
              </MapNotice>
            )}
          </>
        }
        layers={
          <>
            {props.layers}
            {locating.location && <MyLocation location={locating.location} />}
            <ToolboxContext value={toolbox.context}>
              <Toolbars>
                {workspace.isSettled &&
                  tools.map(({ name, Part }) => (
                    <Guard key={name} what={name} layout="note" waiting={null}>
                      <Part
                        mapId={mapId}
                        configuration={configuration}
                        onAdd={onAdd}
                        selectedId={workspace.preview?.id}
                        onSelect={workspace.select}
                      />
                    </Guard>
                  ))}
              </Toolbars>
            </ToolboxContext>
          </>
        }
      >
        <MapContents offered={offered} value={baseMap} onChange={onChoose} legend={props.legend} />
        <ViewButtons
          onZoom={(levels) => mapRef.current?.zoomBy(levels)}
          onHome={workspace.goHome}
          locating={locating}
        />
        {hovered && !choice.query && <HoverName mapId={mapId} {...hovered} />}
        {workspace.isSelectable && choice.query && (
          <WhatIsHere
            mapId={mapId}
            {...choice.query}
            filter={choice.query.click.hits.some(({ isDimmed }) => isDimmed) ? {} : choice.filter}
            onSelect={workspace.choose}
            onAdd={onAdd}
            onReport={props.onReport}
            onClose={choice.forget}
          />
        )}
      </MapView>
      {tools.length > 0 && (
        <LeaveConfirmation
          wordsFor={() => {
            const [unsaved] = toolbox.unsaved()
            return unsaved ? { ...unsaved, go: 'Leave without saving' } : null
          }}
        />
      )}
    </>
  )
}

function SearchNotices({ matches, isSearchFailed, retrySearch }: ShownTiles) {
  const { numberMatched = 0, numberReturned = 0 } = matches ?? {}
  return (
    <>
      {isSearchFailed && (
        <MapNotice onRetry={retrySearch}>Could not filter the map by your search.</MapNotice>
      )}
      {numberReturned < numberMatched && (
        <MapNotice onRetry={null}>
          The map shows {formatNumber(numberReturned)} of {formatNumber(numberMatched)} matches.
        </MapNotice>
      )}
    </>
  )
}

/** North of the client's land. */
function townLabel(summary: MapSummary | undefined) {
  if (!summary?.extent || !summary.client) return null
  const { extent, id, client } = summary
  return { id, name: client.location, location: { lat: extent.north, lng: middleLng(extent) } }
}

function HoverName({ mapId, id, x, y }: { mapId: string; id: string; x: number; y: number }) {
  const [restedId] = useDebouncedValue(id, 120)
  const detail = useQuery({ ...featureDetailQuery(mapId, restedId), enabled: restedId === id })
  if (restedId !== id || !detail.data) return null
  const name = featureName(detail.data)
  return (
    <div className={classes.hoverName} style={{ left: x, top: y }} aria-hidden="true">
      {name || 'Untitled'}
    </div>
  )
}
