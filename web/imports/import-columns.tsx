import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useId } from 'react'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import { fieldsOf, noOwnFields } from '#domain/features/own-fields.ts'
import { rowFieldLabels } from '#domain/imports/field-labels.ts'
import {
  type FoundColumn,
  type ImportDraft,
  type ImportSettings,
  type Keeper,
  problemColumns,
} from '#domain/imports/import-draft.schema.ts'
import { unfilledName } from '#domain/imports/unfilled-name.ts'
import { ownFieldsQuery } from '#web/api/own-fields.api.ts'
import { useMay } from '#web/api/use-session.ts'
import classes from './import-panel.module.css'
import { isOwnExport, wordsOfOwnColumn } from './own-export.ts'
import { ScrolledTable } from './scrolled-table.tsx'
import type { Saying } from './use-settings.ts'
import { keptWords, problemsLeftOut } from './words.ts'

type ImportColumnsProps = {
  mapId: string
  draft: ImportDraft
  settings: ImportSettings
  onSay(saying: Saying): void
}

/** The columns of a file, and the field that each fills. */
export function ImportColumns({ mapId, draft, settings, onSay }: ImportColumnsProps) {
  const { kind, columns: chosen, keptFor } = settings
  const own = useQuery(ownFieldsQuery(mapId))
  const mayPublish = useMay('manager', mapId)
  const fields: Fields = kind === null ? {} : fieldsOf(kind, own.data?.fields ?? noOwnFields)
  const choices = kind === null ? [] : fieldChoices(fields)
  const labels = new Map(choices.map(({ value, label }) => [value, label]))
  const said = (column: string) => {
    const field = Object.entries(chosen).find(([, one]) => one === column)?.[0]
    return field ?? (keptFor[column] ? keptValue(keptFor[column]) : '')
  }
  const isOwn = isOwnExport(draft.found?.columns ?? [], mapId)
  /** The default of a column. */
  function byItself(name: string): string {
    const ofOwn = isOwn ? wordsOfOwnColumn(name) : undefined
    if (ofOwn !== undefined) return ofOwn
    if (kind === null || said(name) !== '') return 'What its name says'
    const field = draft.matches[name]
    if (field === undefined) return problemColumns.includes(name) ? problemsLeftOut : keptWords.staff
    return `${labels.get(field) ?? field}, by its name`
  }
  function choose(column: string, value: string) {
    onSay((known) => {
      const keeper = keeperOf(value)
      const field = keeper || value === '' ? undefined : value
      const others = Object.entries(known.columns).filter(([one, of]) => of !== column && one !== field)
      const { [column]: _, ...keptOthers } = known.keptFor
      return {
        columns: Object.fromEntries(field === undefined ? others : [...others, [field, column]]),
        keptFor: keeper ? { ...keptOthers, [column]: keeper } : keptOthers,
      }
    })
  }
  const problems = draft.found?.columns.find(
    ({ name }) => problemColumns.includes(name) && draft.matches[name] === undefined,
  )
  const filled = [...Object.values(draft.matches), ...Object.keys(settings.layout.constants)]
  const unnamed = kind === null || isOwn ? null : unfilledName(fields, filled)
  return (
    <>
      {unnamed !== null && (
        <p className={classes.problem} role="status">
          {unnamed}
        </p>
      )}
      <ScrolledTable label="Columns of the file" heads={['Column', 'Some values', 'Becomes']} hasControls>
        {(draft.found?.columns ?? []).map(({ name, examples }: FoundColumn) => {
          const words = draft.words.find(({ column }) => column === name)
          return (
            <Fragment key={name}>
              <tr>
                <td>{name}</td>
                <td className={classes.examples}>{examples.join(' · ')}</td>
                <td>
                  <NativeSelect
                    aria-label={`What ${name} becomes`}
                    size="xs"
                    disabled={kind === null}
                    value={said(name)}
                    data={[
                      { value: '', label: byItself(name) },
                      { group: 'A field', items: choices },
                      { group: 'Beside the fields', items: keptChoices(name, mayPublish) },
                    ]}
                    onChange={({ currentTarget: { value } }) => choose(name, value)}
                  />
                </td>
              </tr>
              {words && (
                <tr>
                  <td colSpan={3}>
                    <WordsOfColumn words={words} fields={fields} settings={settings} onSay={onSay} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </ScrolledTable>
      {problems && (
        <p className={classes.note}>
          What was wrong with refused rows stands in ‘{problems.name}’, and does not come in unless you choose
          what it becomes.
        </p>
      )}
    </>
  )
}

/** Whether the name suggests personal data, which should not be published by accident. */
const looksPersonal = (column: string): boolean =>
  /owner|tenant|resident|contact|person|taxpayer|phone|mobile|fax|e-?mail|mailing|birth|ssn|licen[cs]e/i.test(
    column,
  )

/** The colon distinguishes it from the names of fields. */
const keptValue = (keeper: Keeper) => `kept:${keeper}`
const keeperOf = (value: string) =>
  (Object.keys(keptWords) as Keeper[]).find((one) => keptValue(one) === value)

function keptChoices(column: string, mayPublish: boolean) {
  const keepers: Keeper[] = mayPublish ? ['staff', 'everybody', 'nobody'] : ['staff', 'nobody']
  return keepers.map((keeper) => ({
    value: keptValue(keeper),
    label:
      keeper === 'everybody' && looksPersonal(column)
        ? `${keptWords.everybody}, though it looks personal`
        : keptWords[keeper],
  }))
}

type WordsOfColumnProps = {
  words: ImportDraft['words'][number]
  fields: Fields
  settings: ImportSettings
  onSay(saying: Saying): void
}

/** The words of a column, and the value that each means. */
function WordsOfColumn({ words: { field, column, values }, fields, settings, onSay }: WordsOfColumnProps) {
  const id = useId()
  const choices = choicesOf(fields, field)
  const labelOf = (value: string) => choices.find((one) => one.value === value)?.label ?? value
  const chosen = settings.values[field] ?? {}
  const unknown = values.filter(({ said, becomes }) => becomes === null && chosen[said] === undefined)
  function choose(word: string, meaning: string) {
    onSay(({ values: known }) => {
      const { [word]: _, ...others } = known[field] ?? {}
      return { values: { ...known, [field]: meaning === unsaid ? others : { ...others, [word]: meaning } } }
    })
  }
  return (
    <details className={classes.words} open={unknown.length > 0 || Object.keys(chosen).length > 0}>
      <summary>
        {unknown.length === 0
          ? `All words of ${column} are understood`
          : `${unknown.length} of ${values.length} words of ${column} ${unknown.length === 1 ? 'is' : 'are'} not understood`}
      </summary>
      <ul>
        {values.map(({ said, becomes }, index) => (
          <li key={said}>
            <label htmlFor={`${id}-${index}`}>{said}</label>
            <NativeSelect
              id={`${id}-${index}`}
              aria-label={`What ${said} means`}
              size="xs"
              value={chosen[said] ?? unsaid}
              data={[
                { value: unsaid, label: becomes === null ? 'Not understood' : labelOf(becomes) },
                { group: 'It means', items: choices },
                { group: 'Or', items: [{ value: '', label: 'Nothing: the field stays empty' }] },
              ]}
              onChange={({ currentTarget: { value } }) => choose(said, value)}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The colon distinguishes it from the values of fields. */
const unsaid = 'as:it-is'

function choicesOf(fields: Fields, field: string): { value: string; label: string }[] {
  const value = singleFields(fields).find(([path]) => path === field)?.[1].value
  if (value?.type === 'choice')
    return Object.entries(value.choices).map(([key, label]) => ({ value: key, label }))
  return [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ]
}

const fieldChoices = (fields: Fields) => [
  ...Object.entries(rowFieldLabels).map(([value, label]) => ({ value, label })),
  ...singleFields(fields).map(([path, { label }]) => ({ value: path, label })),
]
