import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { firstFeatureSort } from '#domain/features/feature-sort.ts'
import { noFilters, queryOfFilters, readFilters } from '#domain/features/filters.ts'
import { counted } from '#domain/values/wording.ts'
import { featureTableQuery, type TableQuery } from '#web/api/features.api.ts'
import { useEditorId } from '#web/api/use-session.ts'
import { FeatureTable } from '#web/features/feature-table.tsx'
import { exportedColumns } from '#web/features/table-columns.ts'
import { useRowMarks } from '#web/features/use-row-marks.ts'
import { useTableColumns } from '#web/features/use-table-columns.ts'
import { useCells } from '#web/records/unsaved-cells.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { timeZone } from '#web/ui/time-zone.ts'
import { usePublishedMarking } from '#web/workspace/marking.ts'
import type { RecordStart } from '#web/workspace/placing.ts'
import type { Workspace } from '#web/workspace/use-workspace.ts'
import { partsFor } from '../feature-parts.tsx'
import { isWithin } from '../map-page/use-shortcuts.ts'
import type { RecordEditor } from '../record-editing.tsx'
import type { ConfigMapSearch } from './config-search.ts'
import classes from './features-section.module.css'
import { FeaturesToolbar } from './features-toolbar.tsx'
import { useUndoKey } from './use-undo-key.ts'

const DetailPanel = lazyPart(() =>
  import('#web/features/detail-panel.tsx').then((module) => module.DetailPanel),
)

const CellEditor = lazyPart(() => import('#web/records/cell-editor.tsx').then((module) => module.CellEditor))

const RefusedCells = lazyPart(() =>
  import('#web/records/refused-cells.tsx').then((module) => module.RefusedCells),
)

const BulkBar = lazyPart(() => import('#web/records/bulk-bar.tsx').then((module) => module.BulkBar))

type FeaturesSectionProps = {
  workspace: Workspace<ConfigMapSearch>
  summary: MapSummary
  /** Beside the title of the screen. */
  countSlot: HTMLElement | null
  editorOf(onRemove: () => void): RecordEditor | null
}

export function FeaturesSection({ workspace, summary, countSlot, editorOf }: FeaturesSectionProps) {
  const { mapId, address } = workspace
  const { update } = address
  const editorId = useEditorId(mapId)
  const mayEdit = editorId !== null
  const isPhone = useIsPhone()
  const editor = editorOf(close)
  const { select, add, kind, text, sort = firstFeatureSort } = address.search
  const filters = readFilters(address.search, true)
  const query = { ...queryOfFilters(filters, timeZone()), kind, text, sort }
  const columns = useTableColumns(mapId, kind)
  const { fields } = columns
  const { data } = useQuery(featureTableQuery(mapId, query, 0, fields))
  const { marking, marks, count, put } = useRowMarks(mapId, query, {
    total: data?.total ?? 0,
    fields,
  })
  usePublishedMarking(mayEdit ? { query, marks, put } : null)
  const shownColumns = exportedColumns(columns.columns, query.kind)
  const cells = useCells(mapId, editorId)
  useEffect(() => {
    if (mayEdit) void CellEditor.preload()
  }, [mayEdit])
  const sectionRef = useRef<HTMLDivElement>(null)
  const detailRef = useRef<HTMLDivElement>(null)
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (select !== undefined && opened.current === select) detailRef.current?.focus()
    opened.current = undefined
  }, [select])

  function open(feature: FeatureSummary) {
    workspace.show(feature)
    const { id } = feature
    if (id === select) detailRef.current?.focus()
    else opened.current = id
  }
  function close() {
    if (detailRef.current?.contains(document.activeElement))
      sectionRef.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
    workspace.select(undefined)
  }
  useUndoKey(mapId, cells?.unsaved)
  useEscape(() => {
    if (select !== undefined || add !== undefined) close()
    else if (count > 0) marking.clear()
  })
  return (
    <div ref={sectionRef} className={classes.section}>
      {countSlot && createPortal(data && counted(data.total, 'feature'), countSlot)}
      <FeaturesToolbar
        query={query}
        filters={filters}
        columns={columns}
        exported={{ mapId, of: { query, columns: shownColumns }, count: data?.total }}
        update={update}
        isHidden={count > 0}
        editing={
          editor && { addButton: editor.addButton(isPhone), onShow: (id: string) => workspace.show({ id }) }
        }
      />
      {mayEdit && (
        <Guard what="The selection" layout="inline" waiting={null}>
          <BulkBar
            mapId={mapId}
            query={query}
            marks={marks}
            count={count}
            total={data?.total ?? 0}
            columns={shownColumns}
            onAll={marking.all}
            onClear={marking.clear}
          />
        </Guard>
      )}
      <FeatureTable
        mapId={mapId}
        query={query}
        columns={columns}
        selectedId={select}
        mayEdit={mayEdit}
        marking={mayEdit ? marking : undefined}
        whenEmpty={
          <NoFeatures
            summary={summary}
            query={query}
            addButton={editor?.addButton(isPhone)}
            onAdd={editor?.add}
            onShowAllKinds={() => update({ kind: undefined })}
            onClear={() => update({ ...noFilters, kind: undefined, text: undefined })}
          />
        }
        onSelect={workspace.show}
        onOpen={open}
        onSort={(sort) => update({ sort })}
        renderEditor={
          cells
            ? (cell) => (
                <Guard what="The cell" layout="inline" waiting={null}>
                  <CellEditor mapId={mapId} cells={cells.unsaved} {...cell} />
                </Guard>
              )
            : undefined
        }
        typedCells={cells?.typed}
      />
      {cells && (
        <Guard what="The list of unsaved changes" layout="inline" waiting={null}>
          <RefusedCells mapId={mapId} cells={cells.unsaved} />
        </Guard>
      )}
      {editor?.newRecord && <div className={classes.detail}>{editor.newRecord}</div>}
      {select !== undefined && add === undefined && (
        <div ref={detailRef} className={classes.detail} tabIndex={-1}>
          <Guard subject={select} what="The details" layout="panel" onClose={close}>
            <DetailPanel
              mapId={mapId}
              id={select}
              preview={workspace.preview}
              onClose={close}
              onSelect={workspace.select}
              editing={editor?.editing}
              parts={partsFor({ isStaff: true, editorId, onSelect: workspace.select })}
            />
          </Guard>
        </div>
      )}
    </div>
  )
}

type NoFeaturesProps = {
  summary: MapSummary
  query: TableQuery
  addButton: ReactNode
  onAdd: ((start: RecordStart) => void) | undefined
  onShowAllKinds(): void
  onClear(): void
}

function NoFeatures({ summary, query, addButton, onAdd, onShowAllKinds, onClear }: NoFeaturesProps) {
  const { kind, sort, ...others } = query
  const { counts, id } = summary
  if (featureKinds.every((one) => counts[one] === 0))
    return (
      <>
        <p>No features yet</p>
        {addButton && onAdd && (
          <div className={classes.beginnings}>
            <Button variant="default" component={Link} to={`/config/map/${id}/import`}>
              Import a file
            </Button>
            <Button variant="default" onClick={() => onAdd({ kind: 'parcel' })}>
              Draw a parcel
            </Button>
            {addButton}
          </div>
        )}
      </>
    )
  const isOnlyKind = Object.values(others).every((value) => value === undefined)
  if (kind && isOnlyKind)
    return (
      <>
        <p>This map has no {kindLabels[kind].many.toLowerCase()} yet.</p>
        <Button variant="default" onClick={onShowAllKinds}>
          Show all kinds
        </Button>
      </>
    )
  return (
    <>
      <p>No features found with the current filters.</p>
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </>
  )
}

/** Except in dialogs, menus and fields, which handle Escape themselves. */
function useEscape(onEscape: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // The focus may be outside of the dialog, if the pressed button is gone.
    if (document.querySelector('[aria-modal=true]')) return
    if (!isWithin(event, '[role=dialog], [role=menu], input:not([type=checkbox]), select, textarea'))
      onEscape()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
