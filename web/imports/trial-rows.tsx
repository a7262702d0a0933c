import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type CSSProperties, type FormEvent, type ReactNode, useState } from 'react'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { FieldChange } from '#domain/features/history.schema.ts'
import { fieldsOf } from '#domain/features/own-fields.ts'
import type {
  ImportDraft,
  ImportOutcome,
  ImportSettings,
  MissingRule,
} from '#domain/imports/import-draft.schema.ts'
import type { TrialRow } from '#domain/imports/import-trial.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { type RowsShown, refusedRowsAddress, trialRowsQuery } from '#web/api/imports.api.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import { loadFailure } from '#web/ui/error-state.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './import-panel.module.css'
import { ScrolledTable } from './scrolled-table.tsx'
import { type SettingsUpdate, useSettings } from './use-settings.ts'
import { outcomeColors, outcomeWords } from './words.ts'

export type TrialRowsMeans = {
  shown: RowsShown | undefined
  onShow(shown: RowsShown | undefined): void
  onShowOnMap(place: NonNullable<TrialRow['place']>): void
  renderChanges(kind: FeatureKind, changes: readonly FieldChange[]): ReactNode
}

type TrialRowsProps = TrialRowsMeans & { mapId: string; draft: ImportDraft; outcome: ImportOutcome }

export function TrialRows({
  mapId,
  draft,
  outcome,
  shown,
  onShow,
  onShowOnMap,
  renderChanges,
}: TrialRowsProps) {
  const { settings, error, update } = useSettings(mapId, draft)
  const { kind } = settings
  const pages = useInfiniteQuery(trialRowsQuery(mapId, draft.id, shown))
  const own = useOwnFields(mapId)
  const fields: Fields = kind === null ? {} : fieldsOf(kind, own)
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-label="Rows" className={classes.work}>
      <h2>Rows</h2>
      {error && (
        <p className={classes.problem} role="alert">
          {error.message}
        </p>
      )}
      {(outcome.editsKept > 0 || !settings.keepsEdits) && (
        <Checkbox
          label="Keep what was changed here, whatever the file says"
          description={
            settings.keepsEdits
              ? `${formatNumber(outcome.editsKept)} ${outcome.editsKept === 1 ? 'feature keeps' : 'features keep'} fields that somebody changed.`
              : 'The file replaces what somebody changed.'
          }
          checked={settings.keepsEdits}
          onChange={({ currentTarget: { checked } }) => update(() => ({ keepsEdits: checked }))}
        />
      )}
      {(outcome.removedHere > 0 || settings.bringsBack) && (
        <Checkbox
          label="Bring back what was removed here"
          description={`${formatNumber(outcome.removedHere)} ${outcome.removedHere === 1 ? 'row is' : 'rows are'} of features that somebody removed.`}
          checked={settings.bringsBack}
          onChange={({ currentTarget: { checked } }) => update(() => ({ bringsBack: checked }))}
        />
      )}
      {(outcome.gone > 0 || settings.missing !== 'keep') && (
        <NativeSelect
          label="What the file does not have any more"
          description={`${formatNumber(outcome.gone)} ${outcome.gone === 1 ? 'feature was' : 'features were'} made by an earlier edition of it.`}
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
            Refused rows as a file
          </Button>
        )}
      </div>
      {loadFailure(pages, 'The rows could not be loaded.')}
      {rows.length > 0 && (
        <ScrolledTable label="Rows of the trial" heads={['Row', 'What', 'What happens']}>
          {rows.map((row) => (
            <tr key={row.rowNumber}>
              <td className={classes.number}>{row.outcome === 'gone' ? '–' : formatNumber(row.rowNumber)}</td>
              <td>
                <span
                  className={classes.outcome}
                  style={{ '--outcome': outcomeColors[row.outcome] } as CSSProperties}
                >
                  {outcomeWords[row.outcome]}
                </span>{' '}
                {row.place ? (
                  <button
                    type="button"
                    className={classes.look}
                    onClick={() => row.place && onShowOnMap(row.place)}
                  >
                    {row.name}
                  </button>
                ) : (
                  <span>{row.name ?? row.sourceId}</span>
                )}
              </td>
              <td>
                {row.reason && <p>{row.reason}</p>}
                {kind && row.changes.length > 0 && renderChanges(kind, row.changes)}
                {row.kept.length > 0 && (
                  <p>Stays as it was changed here: {fieldLabelsOf(row.kept, fields)}</p>
                )}
                <RowControls row={row} settings={settings} onUpdate={update} />
              </td>
            </tr>
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

const missingChoices: { value: MissingRule; label: string }[] = [
  { value: 'keep', label: 'Stays as it is' },
  { value: 'mark', label: 'Is marked: no longer in the file' },
  { value: 'remove', label: 'Is removed, and can be put back' },
]

function fieldLabelsOf(paths: readonly string[], fields: Fields): string {
  const labels = new Map(singleFields(fields).map(([path, { label }]) => [path, label]))
  const others: Record<string, string> = { geometry: 'place and shape', metadata: 'further data' }
  return paths.map((path) => labels.get(path) ?? others[path] ?? fields[path]?.label ?? path).join(', ')
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
    ['unchanged', 'The same', unchanged],
    ['refused', 'Refused', refused],
    ['repaired', 'Repaired', repaired],
    ['left-out', 'Left out', leftOut],
    ['removed-here', 'Removed here', removedHere],
    ['gone', 'Not in the file', gone],
  ]
  const some = counts.filter(([, , count]) => count > 0)
  return [
    { value: '', label: `All rows (${formatNumber(rows)})` },
    ...some.map(([value, label, count]) => ({ value, label: `${label} (${formatNumber(count)})` })),
  ]
}

type RowControlsProps = {
  row: TrialRow
  settings: ImportSettings
  onUpdate(update: SettingsUpdate): void
}

function RowControls({ row, settings, onUpdate }: RowControlsProps) {
  const { rowNumber, outcome } = row
  const [isFixing, setIsFixing] = useState(false)
  const isLeftOut = settings.leftOut.includes(rowNumber)
  const fixes = settings.mended[String(rowNumber)]
  if (outcome === 'unchanged' || outcome === 'removed-here' || outcome === 'gone') return null
  if (outcome === 'refused')
    return (
      <>
        {fixes && (
          <p>
            Mended:{' '}
            {Object.entries(fixes)
              .map(([column, value]) => `${column} ${value}`)
              .join(', ')}
          </p>
        )}
        {isFixing ? (
          <FixForm
            row={row}
            fixes={fixes ?? {}}
            onFix={(values) => {
              setIsFixing(false)
              if (Object.keys(values).length === 0) return
              onUpdate(({ mended: current }) => ({
                mended: { ...current, [rowNumber]: { ...current[rowNumber], ...values } },
              }))
            }}
          />
        ) : (
          row.columns.length > 0 && (
            <SmallButton size="compact-sm" onClick={() => setIsFixing(true)}>
              Mend
            </SmallButton>
          )
        )}
      </>
    )
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      aria-pressed={isLeftOut}
      onClick={() =>
        onUpdate(({ leftOut }) => {
          const others = leftOut.filter((one) => one !== rowNumber)
          return { leftOut: isLeftOut ? others : [...others, rowNumber].toSorted((a, b) => a - b) }
        })
      }
    >
      {isLeftOut ? 'Take it in again' : 'Leave out'}
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
      {shown.map(([column, before]) => {
        const input = {
          label: column,
          name: column,
          size: 'xs',
          maxLength: 2_000,
          defaultValue: before,
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

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
