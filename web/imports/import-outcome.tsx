import type { ReactNode } from 'react'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import { fieldLabels } from '#domain/imports/field-labels.ts'
import type { ImportOutcome, ImportSettings, MissingRule } from '#domain/imports/import-draft.schema.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './import-panel.module.css'
import { ScrolledTable } from './scrolled-table.tsx'
import { keeperLabels } from './words.ts'

const shownRows = 100

const goneWords: Record<MissingRule, string> = {
  keep: 'Not in file',
  mark: 'Marked as missing',
  remove: 'Removed',
}

type LabelOf = { labelOf(field: string): string }
type NotUnderstoodProps = Pick<ImportOutcome, 'filled'> & { isDone: boolean } & LabelOf

function NotUnderstood({ filled, isDone, labelOf }: NotUnderstoodProps) {
  const some = filled.filter(({ notUnderstood }) => notUnderstood > 0)
  if (some.length === 0) return null
  return (
    <section aria-label="Unrecognized values">
      <h2>Unrecognized values</h2>
      <p>
        Their fields stay empty, or their rows are skipped.
        {!isDone && ' You can choose meanings for them in step 2.'}
      </p>
      <ScrolledTable label="Unrecognized values by column" heads={['Column', 'Field', 'Rows', 'Examples']}>
        {some.map(({ field, column, notUnderstood, unknownRows = [] }) => (
          <tr key={`${field} ${column}`}>
            <td>{column}</td>
            <td>{labelOf(field)}</td>
            <td className={classes.number}>{formatNumber(notUnderstood)}</td>
            <td>{unknownRows.map(({ row, value }) => `row ${formatNumber(row)}: ${value}`).join(' · ')}</td>
          </tr>
        ))}
      </ScrolledTable>
    </section>
  )
}

type ImportOutcomeViewProps = {
  mapId: string
  outcome: ImportOutcome
  isDone: boolean
  settings: Pick<ImportSettings, 'kind' | 'missing' | 'keptFor'>
  onUseId?: (column: string) => void
  children?: ReactNode
}

export function ImportOutcomeView({
  mapId,
  outcome,
  isDone,
  settings,
  onUseId,
  children,
}: ImportOutcomeViewProps) {
  const { rows, created, updated, unchanged, refused, repaired, filled, kept, doubts, reported } = outcome
  const { leftOut, removedHere, gone, notes = [], likelyId = null } = outcome
  const { kind, missing, keptFor } = settings
  const own = useCustomFields(mapId)
  const labels = fieldLabels(kind === null ? {} : fieldsOf(kind, own))
  const labelOf = (field: string) => labels.get(field) ?? field
  const counts = [
    ['Rows', rows],
    ['New', created],
    ['Changed', updated],
    ['Unchanged', unchanged],
    ['Skipped', refused],
    ['Repaired', repaired],
    ...(leftOut > 0 ? [['Excluded', leftOut] as const] : []),
    ...(gone > 0 ? [[isDone ? goneWords[missing] : goneWords.keep, gone] as const] : []),
    ...(removedHere > 0 ? [['Previously removed', removedHere] as const] : []),
  ] as const
  return (
    <>
      <dl className={classes.counts} aria-label={isDone ? 'Import results' : 'Preview results'}>
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {doubts.length > 0 && (
        <section aria-label="Warnings">
          <h2>{isDone ? 'Warnings from the preview' : 'Warnings'}</h2>
          <ul className={classes.doubts}>
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label="Notes">
          <h2>{isDone ? 'Notes from the preview' : 'Notes'}</h2>
          <ul className={classes.doubts}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          {onUseId && likelyId !== null && (
            <SmallButton size="compact-sm" onClick={() => onUseId(likelyId)}>
              Use ‘{likelyId}’ as the ID
            </SmallButton>
          )}
        </section>
      )}
      <NotUnderstood filled={filled} isDone={isDone} labelOf={labelOf} />
      {isDone && reported.length > 0 && (
        <section aria-label="Skipped and repaired">
          <h2>Skipped and repaired</h2>
          <ScrolledTable label="Skipped and repaired rows" heads={['Row', 'Record', 'Result']}>
            {reported.slice(0, shownRows).map(({ rowNumber, sourceId, name, outcome: happened, reason }) => (
              <tr key={`${rowNumber} ${reason}`}>
                <td className={classes.number}>{formatNumber(rowNumber)}</td>
                <td>{name || (sourceId ?? '–')}</td>
                <td>
                  {happened === 'refused' ? 'Skipped' : 'Repaired'}: {reason}
                </td>
              </tr>
            ))}
          </ScrolledTable>
          {refused + repaired > shownRows && (
            <p>and {formatNumber(refused + repaired - Math.min(shownRows, reported.length))} more</p>
          )}
        </section>
      )}
      {children}
      <Disclosure label="Columns">
        <ScrolledTable label="Columns and fields" heads={['Column', 'Field']}>
          {filled.map(({ field, column, rows: understood, notUnderstood }) => (
            <tr key={`${field} ${column}`}>
              <td>{column}</td>
              <td>
                {labelOf(field)} in {counted(understood, 'row')}
                {notUnderstood > 0 && `; not recognized in ${formatNumber(notUnderstood)}`}
              </td>
            </tr>
          ))}
          {kept.map((column) => (
            <tr key={column}>
              <td>{column}</td>
              <td>{keeperLabels[keptFor[column] ?? 'staff']}</td>
            </tr>
          ))}
        </ScrolledTable>
      </Disclosure>
    </>
  )
}
