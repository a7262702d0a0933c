import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useId } from 'react'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import { fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import { rowFieldLabels, unfilledName } from '#domain/imports/field-labels.ts'
import {
  type FoundColumn,
  type ImportDraft,
  type ImportSettings,
  type Keeper,
  problemColumns,
} from '#domain/imports/import-draft.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import classes from './import-panel.module.css'
import { isOwnExport, wordsOfOwnColumn } from './own-export.ts'
import { ScrolledTable } from './scrolled-table.tsx'
import type { SettingsUpdate } from './use-settings.ts'
import { defaultLabel, keeperLabels, problemsLeftOut } from './words.ts'

type ImportColumnsProps = {
  mapId: string
  draft: ImportDraft
  settings: ImportSettings
  onUpdate(update: SettingsUpdate): void
}

export function ImportColumns({ mapId, draft, settings, onUpdate }: ImportColumnsProps) {
  const { kind, columns: chosen, keptFor } = settings
  const own = useQuery(customFieldsQuery(mapId))
  const mayPublish = useMay('manager', mapId)
  const fields: Fields = kind === null ? {} : fieldsOf(kind, own.data?.fields ?? noCustomFields)
  const choices = kind === null ? [] : fieldChoices(fields)
  const labels = new Map(choices.map(({ value, label }) => [value, label]))
  const choiceOf = (column: string) => {
    const field = Object.entries(chosen).find(([, one]) => one === column)?.[0]
    return field ?? (keptFor[column] ? keeperValue(keptFor[column]) : '')
  }
  const isOwn = isOwnExport(draft.found?.columns ?? [], mapId)
  function byItself(name: string): string {
    const ofOwn = isOwn ? wordsOfOwnColumn(name) : undefined
    if (ofOwn !== undefined) return ofOwn
    if (kind === null || choiceOf(name) !== '') return 'Automatic'
    const field = draft.matches[name]
    if (field === undefined) return problemColumns.includes(name) ? problemsLeftOut : defaultLabel
    return `${labels.get(field) ?? field} (automatic)`
  }
  function choose(column: string, value: string) {
    onUpdate((current) => {
      const keeper = keeperOf(value)
      const field = keeper || value === '' ? undefined : value
      const others = Object.entries(current.columns).filter(([one, of]) => of !== column && one !== field)
      const { [column]: _, ...otherKeepers } = current.keptFor
      return {
        columns: Object.fromEntries(field === undefined ? others : [...others, [field, column]]),
        keptFor: keeper ? { ...otherKeepers, [column]: keeper } : otherKeepers,
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
      <ScrolledTable label="File columns" heads={['Column', 'Values', 'Field']} hasControls>
        {(draft.found?.columns ?? []).map(({ name, examples }: FoundColumn) => {
          const words = draft.words.find(({ column }) => column === name)
          return (
            <Fragment key={name}>
              <tr>
                <td>{name}</td>
                <td className={classes.examples}>{examples.join(' · ')}</td>
                <td>
                  <NativeSelect
                    aria-label={`Field for ${name}`}
                    size="xs"
                    disabled={kind === null}
                    value={choiceOf(name)}
                    data={[
                      { value: '', label: byItself(name) },
                      { group: 'Fields', items: choices },
                      { group: 'Other', items: keeperChoices(name, mayPublish) },
                    ]}
                    onChange={({ currentTarget: { value } }) => choose(name, value)}
                  />
                </td>
              </tr>
              {words && (
                <tr>
                  <td colSpan={3}>
                    <WordsOfColumn words={words} fields={fields} settings={settings} onUpdate={onUpdate} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </ScrolledTable>
      {problems && (
        <p className={classes.note}>
          The column ‘{problems.name}’ lists why rows were skipped. It is not imported unless you choose a
          field for it.
        </p>
      )}
    </>
  )
}

/** Such columns should not be published by accident. */
const looksPersonal = (column: string): boolean =>
  /owner|tenant|resident|contact|person|taxpayer|phone|mobile|fax|e-?mail|mailing|birth|ssn|licen[cs]e/i.test(
    column,
  )

/** The colon distinguishes it from the names of fields. */
const keeperValue = (keeper: Keeper) => `kept:${keeper}`
const keeperOf = (value: string) =>
  (Object.keys(keeperLabels) as Keeper[]).find((one) => keeperValue(one) === value)

function keeperChoices(column: string, mayPublish: boolean) {
  const keepers: Keeper[] = mayPublish ? ['staff', 'everybody', 'nobody'] : ['staff', 'nobody']
  return keepers.map((keeper) => ({
    value: keeperValue(keeper),
    label:
      keeper === 'everybody' && looksPersonal(column)
        ? `${keeperLabels.everybody}: may be personal data`
        : keeperLabels[keeper],
  }))
}

type WordsOfColumnProps = {
  words: ImportDraft['words'][number]
  fields: Fields
  settings: ImportSettings
  onUpdate(update: SettingsUpdate): void
}

function WordsOfColumn({ words: { field, column, values }, fields, settings, onUpdate }: WordsOfColumnProps) {
  const id = useId()
  const choices = choicesOf(fields, field)
  const labelOf = (value: string) => choices.find((one) => one.value === value)?.label ?? value
  const chosen = settings.values[field] ?? {}
  const unknown = values.filter(({ said: word, becomes }) => becomes === null && chosen[word] === undefined)
  function choose(word: string, meaning: string) {
    onUpdate(({ values: current }) => {
      const { [word]: _, ...others } = current[field] ?? {}
      return { values: { ...current, [field]: meaning === asItIs ? others : { ...others, [word]: meaning } } }
    })
  }
  return (
    <Disclosure
      look="quiet"
      isOpenByDefault={unknown.length > 0 || Object.keys(chosen).length > 0}
      label={
        unknown.length === 0
          ? `All values of ${column} recognized`
          : `${unknown.length} of ${counted(values.length, 'value')} of ${column} not recognized`
      }
    >
      <ul className={classes.words}>
        {values.map(({ said: word, becomes }, index) => (
          <li key={word}>
            <label htmlFor={`${id}-${index}`}>{word}</label>
            <NativeSelect
              id={`${id}-${index}`}
              aria-label={`Meaning of ${word}`}
              size="xs"
              value={chosen[word] ?? asItIs}
              data={[
                { value: asItIs, label: becomes === null ? 'Not recognized' : labelOf(becomes) },
                { group: 'Meaning', items: choices },
                { group: 'Other', items: [{ value: '', label: 'Leave empty' }] },
              ]}
              onChange={({ currentTarget: { value } }) => choose(word, value)}
            />
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

/** The colon distinguishes it from the values of fields. */
const asItIs = 'as:it-is'

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
