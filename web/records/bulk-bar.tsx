import { ActionIcon, Button, Menu, Progress } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import {
  type FeatureKind,
  type FeatureStatus,
  featureStatuses,
  statusLabels,
} from '#domain/definition/kinds.ts'
import { countOfKinds, type KindCounts } from '#domain/features/bulk-change.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { BulkTarget } from '#web/api/bulk-changes.api.ts'
import type { ExportSelection } from '#web/api/exports.api.ts'
import type { TableQuery } from '#web/api/features.api.ts'
import { settingsQuery } from '#web/api/maps.api.ts'
import { useEditorId } from '#web/api/use-session.ts'
import type { RowMarks } from '#web/features/use-row-marks.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { tip } from '#web/ui/tips.tsx'
import { useOpenExport } from '#web/workspace/exporting/open-export.tsx'
import { maxMerged, startShaping } from '#web/workspace/shaping.ts'
import classes from './bulk-bar.module.css'
import { BulkDialog, type BulkIntent } from './bulk-dialog.tsx'
import { NoticeDialog } from './notice-dialog.tsx'
import { type RunningBulk, useBulkChanges } from './use-bulk-changes.ts'

type BulkBarProps = {
  mapId: string
  query: TableQuery
  marks: RowMarks
  count: number
  total: number
  columns: readonly string[]
  onAll(): void
  onClear(): void
}

export function BulkBar({ mapId, query, marks, count, total, columns, onAll, onClear }: BulkBarProps) {
  const [intent, setIntent] = useState<BulkIntent | null>(null)
  const [isNotifying, setIsNotifying] = useState(false)
  const { data: settings } = useQuery(settingsQuery)
  const openExport = useOpenExport()
  const isPhone = useIsPhone()
  const { starting, running, cancel } = useBulkChanges(mapId, () => {
    setIntent(null)
    onClear()
  })
  const editorId = useEditorId(mapId)
  const merged = marks.mode === 'some' ? parcelsIn(marks) : []
  function merge([id = '', ...others]: readonly string[]) {
    if (editorId) startShaping(editorId, mapId, { kind: 'parcel', id, begin: { mode: 'merge', others } })
    onClear()
  }
  if (running) return <RunningBar running={running} onCancel={cancel} />
  if (count === 0) return null
  const kinds = kindsOf(marks, query, count)
  return (
    <section className={classes.bar} aria-label="Selected records">
      <ActionIcon
        {...tip('Clear selection')}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Clear selection"
        onClick={onClear}
      >
        <IconX size={18} aria-hidden="true" />
      </ActionIcon>
      <p role="status">{isPhone ? formatNumber(count) : countOfKinds(kinds, count)} selected</p>
      <StatusMenu kinds={kinds} onChoose={(status) => setIntent({ kind: 'status', status })} />
      <Menu position="bottom-end" withinPortal returnFocus>
        <Menu.Target>
          <SmallButton rightSection={<IconChevronDown size={14} aria-hidden="true" />}>Actions</SmallButton>
        </Menu.Target>
        <Menu.Dropdown>
          {count < total && <Menu.Item onClick={onAll}>Select all {formatNumber(total)}</Menu.Item>}
          <Menu.Item onClick={() => setIntent({ kind: 'fields' })}>Edit fields…</Menu.Item>
          <Menu.Item
            onClick={() =>
              openExport({ mapId, of: { query, columns, selection: selectionOf(marks) }, count })
            }
          >
            Export…
          </Menu.Item>
          {settings?.sendsMail && mapId !== sampleMapId && (
            <Menu.Item onClick={() => setIsNotifying(true)}>Send a notice…</Menu.Item>
          )}
          {merged.length > 1 && <Menu.Item onClick={() => merge(merged)}>Merge parcels…</Menu.Item>}
          <Menu.Divider />
          <Menu.Item color="var(--mantine-color-error)" onClick={() => setIntent({ kind: 'remove' })}>
            Remove…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <BulkDialog
        mapId={mapId}
        target={targetOf(marks, query)}
        selected={countOfKinds(kinds, count)}
        intent={intent}
        starting={starting}
        onClose={() => setIntent(null)}
      />
      {isNotifying && (
        <NoticeDialog
          mapId={mapId}
          target={targetOf(marks, query)}
          selected={countOfKinds(kinds, count)}
          isOnlyParcels={Object.keys(kinds).join() === 'parcel'}
          onClose={() => setIsNotifying(false)}
        />
      )}
    </section>
  )
}

function kindsOf(marks: RowMarks, { kind }: TableQuery, count: number): KindCounts {
  if (marks.mode === 'all') return kind ? { [kind]: count } : {}
  const kinds: KindCounts = {}
  for (const one of marks.kinds.values()) kinds[one] = (kinds[one] ?? 0) + 1
  return kinds
}

/** None if other kinds are selected too, or more than the shape editor merges. */
function parcelsIn({ kinds }: Extract<RowMarks, { mode: 'some' }>): string[] {
  const areParcels = kinds.size <= maxMerged && [...kinds.values()].every((kind) => kind === 'parcel')
  return areParcels ? [...kinds.keys()] : []
}

function targetOf(marks: RowMarks, { sort, ...filter }: TableQuery): BulkTarget {
  if (marks.mode === 'some') return { ids: [...marks.kinds.keys()] }
  return { filter, ...(marks.except.size > 0 ? { except: [...marks.except] } : {}) }
}

function selectionOf(marks: RowMarks): ExportSelection | undefined {
  if (marks.mode === 'some') return { ids: [...marks.kinds.keys()] }
  return marks.except.size > 0 ? { except: [...marks.except] } : undefined
}

type StatusMenuProps = { kinds: KindCounts; onChoose(status: FeatureStatus): void }

function StatusMenu({ kinds, onChoose }: StatusMenuProps) {
  const choices = statusesOf(Object.keys(kinds) as FeatureKind[])
  if (choices.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="filled" size="xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Set status
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((status) => (
          <Menu.Item key={status} onClick={() => onChoose(status)}>
            {statusLabels[status]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Any status if the kinds are unknown; a general feature among incidents has operational ones. */
function statusesOf(kinds: readonly FeatureKind[]): readonly FeatureStatus[] {
  if (kinds.length === 0) return featureStatuses
  const statuses = [...new Set(kinds.flatMap((kind) => kindTraits[kind].statuses))]
  const isMixed = kinds.length > 1 && kinds.some((kind) => kindTraits[kind].hasSeverity)
  return isMixed ? featureStatuses : statuses
}

function RunningBar({ running, onCancel }: { running: RunningBulk; onCancel(): void }) {
  const { sentence, change, isCancelling } = running
  const done = change.changed + change.same + change.left
  return (
    <section className={classes.bar} aria-label="Change in progress">
      <p role="status">{sentence}…</p>
      <Progress
        className={classes.progress}
        value={(100 * done) / Math.max(1, change.total)}
        aria-label="Progress"
      />
      <p className={classes.far}>
        {formatNumber(done)} of {formatNumber(change.total)}
      </p>
      <SmallButton loading={isCancelling} onClick={onCancel}>
        Cancel
      </SmallButton>
    </section>
  )
}
