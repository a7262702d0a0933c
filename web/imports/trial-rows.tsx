import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type CSSProperties, type FormEvent, type ReactNode, useState } from 'react'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import type { FieldChange } from '#domain/features/history.schema.ts'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type {
  ImportDraft,
  ImportOutcome,
  ImportSettings,
  MissingRule,
} from '#domain/imports/import-draft.schema.ts'
import type { TrialRow } from '#domain/imports/import-trial.schema.ts'
import { capitalized, counted, formatList, formatNumber } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { type RowsShown, refusedRowsAddress, trialRowsQuery } from '#web/api/imports.api.ts'
import { loadFailure } from '#web/ui/error-state.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import classes from './import-panel.module.css'
import { ScrolledTable } from './scrolled-table.tsx'
import { type SettingsUpdate, useSettings } from './use-settings.ts'
import { outcomeColors, outcomeWords } from './words.ts'

export type TrialRowsMeans = {
  shown: RowsShown | undefined
  onShow(shown: RowsShown | undefined): void
  /** Where the map shows a ring. */
  marked: LatLng | null
  onShowOnMap(place: LatLng): void
  onShowAllOnMap(extent: Bounds): void
  renderChanges(kind: FeatureKind, changes: readonly FieldChange[], areNew: boolean): ReactNode
}

type TrialRowsProps = TrialRowsMeans & { mapId: string; draft: ImportDraft; outcome: ImportOutcome }

export function TrialRows({
  mapId,
  draft,
  outcome,
  shown,
  onShow,
  marked,
  onShowOnMap,
  onShowAllOnMap,
  renderChanges,
}: TrialRowsProps) {
  const { settings, error, update } = useSettings(mapId, draft)
  const { kind } = settings
  const { extent } = outcome
  const pages = useInfiniteQuery(trialRowsQuery(mapId, draft.id, shown))
  const own = useCustomFields(mapId)
  const fields: Fields = kind === null ? {} : fieldsOf(kind, own)
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-label="Rows" className={classes.work}>
      <div className={classes.heading}>
        <h2>Rows</h2>
        {extent && (
          <Button variant="subtle" size="compact-sm" onClick={() => onShowAllOnMap(extent)}>
            Show on map
          </Button>
        )}
      </div>
      {error && (
        <p className={classes.problem} role="alert">
          {error.message}
        </p>
      )}
      {(outcome.editsKept > 0 || !settings.keepsEdits) && (
        <Checkbox
          label="Keep edits made on the map"
          description={
            settings.keepsEdits
              ? `${counted(outcome.editsKept, 'record')} with edited fields.`
              : 'The file overwrites edited fields.'
          }
          checked={settings.keepsEdits}
          onChange={({ currentTarget: { checked } }) => update(() => ({ keepsEdits: checked }))}
        />
      )}
      {(outcome.removedHere > 0 || settings.bringsBack) && (
        <Checkbox
          label="Restore removed records"
          description={`${counted(outcome.removedHere, 'row')} with a removed record.`}
          checked={settings.bringsBack}
          onChange={({ currentTarget: { checked } }) => update(() => ({ bringsBack: checked }))}
        />
      )}
      {(outcome.gone > 0 || settings.missing !== 'keep') && (
        <NativeSelect
          label="Records missing from the file"
          description={`${counted(outcome.gone, 'record')} from an earlier import of this source.`}
          value={settings.missing}
          data={missingChoices}
          onChange={({ currentTarget: { value } }) => update(() => ({ missing: value as MissingRule }))}
        />
      )}
      <div className={classes.pair}>
        <NativeSelect
          label="Show"
          value={shown ?? ''}
          data={choicesOf(outcome)}
          onChange={({ currentTarget: { value } }) => onShow(value === '' ? undefined : (value as RowsShown))}
        />
        {outcome.refused > 0 && (
          <Button
            component="a"
            variant="default"
            className={classes.beside}
            href={refusedRowsAddress(mapId, draft.id)}
            download
          >
            Download skipped rows
          </Button>
        )}
      </div>
      {loadFailure(pages, 'Could not load the rows.')}
      {pages.isPending && <LoadingRows label="Loading rows" rows={4} />}
      {pages.data && rows.length === 0 && <EmptyState text="No such rows" />}
      {rows.length > 0 && (
        <ScrolledTable label="Preview rows" heads={['Row', 'Record', 'Result']}>
          {rows.map((row) => (
            <PreviewRow
              key={row.rowNumber}
              row={row}
              isMarked={row.place !== null && isSamePlace(row.place, marked)}
              settings={settings}
              onUpdate={update}
              onShowOnMap={onShowOnMap}
            >
              {row.reason && <p>{capitalized(row.reason)}</p>}
              {kind && row.changes.length > 0 && renderChanges(kind, row.changes, row.outcome === 'created')}
              {row.kept.length > 0 && <p>Not overwritten: {fieldLabelsOf(row.kept, fields)}</p>}
            </PreviewRow>
          ))}
        </ScrolledTable>
      )}
      {pages.hasNextPage && (
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          Show more rows
        </Button>
      )}
    </section>
  )
}

const isSamePlace = (place: LatLng, other: LatLng | null) =>
  place.lat === other?.lat && place.lng === other.lng

const missingChoices: { value: MissingRule; label: string }[] = [
  { value: 'keep', label: 'Keep' },
  { value: 'mark', label: 'Mark as no longer in the file' },
  { value: 'remove', label: 'Remove (can be restored)' },
]

function fieldLabelsOf(paths: readonly string[], fields: Fields): string {
  const labels = new Map(singleFields(fields).map(([path, { label }]) => [path, label]))
  const others: Record<string, string> = { geometry: 'location and shape', metadata: 'metadata' }
  return formatList(paths.map((path) => labels.get(path) ?? others[path] ?? fields[path]?.label ?? path))
}

function choicesOf({
  rows,
  created,
  updated,
  unchanged,
  refused,
  repaired,
  leftOut,
  removedHere,
  gone,
}: ImportOutcome) {
  const counts: [RowsShown, string, number][] = [
    ['created', 'New', created],
    ['updated', 'Changed', updated],
    ['unchanged', 'Unchanged', unchanged],
    ['refused', 'Skipped', refused],
    ['repaired', 'Repaired', repaired],
    ['left-out', 'Excluded', leftOut],
    ['removed-here', 'Previously removed', removedHere],
    ['gone', 'Not in file', gone],
  ]
  const some = counts.filter(([, , count]) => count > 0)
  return [
    { value: '', label: `All rows (${formatNumber(rows)})` },
    ...some.map(([value, label, count]) => ({ value, label: `${label} (${formatNumber(count)})` })),
  ]
}

type PreviewRowProps = Pick<RowControlsProps, 'row' | 'settings' | 'onUpdate'> & {
  isMarked: boolean
  onShowOnMap(place: LatLng): void
  children: ReactNode
}

function PreviewRow({ row, isMarked, settings, onUpdate, onShowOnMap, children }: PreviewRowProps) {
  const [isFixing, setIsFixing] = useState(false)
  const { rowNumber, outcome, name, place } = row
  return (
    <>
      <tr>
        <td className={classes.number}>{outcome === 'gone' ? '–' : formatNumber(rowNumber)}</td>
        <td>
          <span className={classes.outcome} style={{ '--outcome': outcomeColors[outcome] } as CSSProperties}>
            {outcomeWords[outcome]}
          </span>{' '}
          {place ? (
            <button
              type="button"
              className={classes.look}
              aria-current={isMarked || undefined}
              onClick={() => onShowOnMap(place)}
            >
              {name}
            </button>
          ) : (
            <span>{name ?? row.sourceId}</span>
          )}
        </td>
        <td>
          {children}
          {!isFixing && (
            <RowControls
              row={row}
              settings={settings}
              onUpdate={onUpdate}
              onFixing={() => setIsFixing(true)}
            />
          )}
        </td>
      </tr>
      {isFixing && (
        <tr>
          <td colSpan={3}>
            <FixForm
              row={row}
              fixes={settings.mended[String(rowNumber)] ?? {}}
              onFix={(values) => {
                setIsFixing(false)
                if (Object.keys(values).length === 0) return
                onUpdate(({ mended: current }) => ({
                  mended: { ...current, [rowNumber]: { ...current[rowNumber], ...values } },
                }))
              }}
            />
          </td>
        </tr>
      )}
    </>
  )
}

type RowControlsProps = {
  row: TrialRow
  settings: ImportSettings
  onUpdate(update: SettingsUpdate): void
  onFixing(): void
}

function RowControls({ row, settings, onUpdate, onFixing }: RowControlsProps) {
  const { rowNumber, outcome } = row
  const isLeftOut = settings.leftOut.includes(rowNumber)
  const fixes = settings.mended[String(rowNumber)]
  if (outcome === 'unchanged' || outcome === 'removed-here' || outcome === 'gone') return null
  if (outcome === 'refused')
    return (
      <>
        {fixes && (
          <p>
            Fixed:{' '}
            {Object.entries(fixes)
              .map(([column, value]) => `${column} ${value}`)
              .join(', ')}
          </p>
        )}
        {row.columns.length > 0 && (
          <SmallButton size="compact-sm" onClick={onFixing}>
            Fix
          </SmallButton>
        )}
      </>
    )
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      aria-pressed={isLeftOut}
      aria-label={`${isLeftOut ? 'Include' : 'Exclude'} ${row.name ?? `row ${rowNumber}`}`}
      onClick={() =>
        onUpdate(({ leftOut }) => {
          const others = leftOut.filter((one) => one !== rowNumber)
          return { leftOut: isLeftOut ? others : [...others, rowNumber].toSorted((a, b) => a - b) }
        })
      }
    >
      {isLeftOut ? 'Include' : 'Exclude'}
    </Button>
  )
}

type FixFormProps = {
  row: TrialRow
  fixes: Readonly<Record<string, string>>
  onFix(values: Record<string, string>): void
}

function FixForm({ row, fixes, onFix }: FixFormProps) {
  const shown = row.columns.map(([column, value]) => [column, fixes[column] ?? textOf(value)] as const)
  const first = Math.max(
    0,
    shown.findIndex(([, text]) => text === ''),
  )
  function fix(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const changed = shown.flatMap(([column, before]): [string, string][] => {
      const text = String(data.get(column) ?? '')
      return text === before.replaceAll(/\r\n?/g, '\n') ? [] : [[column, text]]
    })
    onFix(Object.fromEntries(changed))
  }
  return (
    <form className={classes.mend} onSubmit={fix} aria-label={`Row ${row.rowNumber}`}>
      {shown.map(([column, before], index) => {
        const input = {
          label: column,
          name: column,
          size: 'xs',
          maxLength: 2_000,
          defaultValue: before,
          ref: index === first ? enter : undefined,
        } as const
        // A single-line input would join the lines.
        return /[\r\n]/.test(before) ? (
          <Textarea key={column} autosize maxRows={4} {...input} />
        ) : (
          <TextInput key={column} {...input} />
        )
      })}
      <SmallButton type="submit" size="compact-sm">
        Done
      </SmallButton>
    </form>
  )
}

/** The form may open below the visible part of the table. */
function enter(input: HTMLElement | null) {
  input?.focus({ preventScroll: true })
  input?.closest('form')?.scrollIntoView({ block: 'nearest' })
}

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
