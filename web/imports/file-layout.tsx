import { Button, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Fields, singleFields } from '#domain/definition/definition.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import type { ImportDraft, ImportSettings } from '#domain/imports/import-draft.schema.ts'
import type {
  DateOrder,
  DecimalMark,
  FoundLayout,
  ImportLayout,
  ShapeNotation,
} from '#domain/imports/import-layout.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './import-panel.module.css'
import { ScrolledTable } from './scrolled-table.tsx'
import type { SettingsUpdate } from './use-settings.ts'

type FileLayoutProps = {
  mapId: string
  draft: ImportDraft
  settings: ImportSettings
  onUpdate(update: SettingsUpdate): void
}

export function FileLayout({ mapId, draft, settings, onUpdate }: FileLayoutProps) {
  const own = useCustomFields(mapId)
  const { found } = draft
  if (!found?.layout) return null
  const { layout: detected, columns } = found
  const { layout, kind } = settings
  const change = (changed: (current: ImportLayout) => Partial<ImportLayout>) =>
    onUpdate((current) => ({ layout: { ...current.layout, ...changed(current.layout) } }))
  const names = columns.map(({ name }) => name)
  const dates = datesOf(detected, draft, layout)
  const isTable = detected.headerRow !== null
  const { unclearDates } = draft.outcome ?? {}
  const unclear = dates.filter(
    ({ column, order }) => order === null && (unclearDates?.some((one) => one.column === column) ?? true),
  )
  return (
    <Disclosure
      isOpenByDefault={unclear.length > 0 || wasChanged(layout)}
      label={
        <>
          File layout <span className={classes.examples}>{summaryOf(detected, layout, dates)}</span>
        </>
      }
    >
      <div className={`${classes.work} ${classes.layout}`}>
        {unclear.map(({ column, examples }) => (
          <p key={column} className={classes.offer} role="status">
            Dates in ‘{column}’ are ambiguous ({examples.join(', ')}). Which comes first?{' '}
            {(['month-first', 'day-first'] as const).map((order) => (
              <Button
                key={order}
                size="compact-sm"
                variant="light"
                mr={8}
                onClick={() => change(({ dates: current }) => ({ dates: { ...current, [column]: order } }))}
              >
                {orderLabels[order]}
              </Button>
            ))}
          </p>
        ))}
        {isTable && <FirstRows layout={detected} />}
        <div className={classes.pair}>
          {isTable && (
            <NativeSelect
              label="Header row"
              value={String(layout.headerRow ?? detected.headerRow)}
              data={detected.firstRows.map((cells, index) => ({
                value: String(index + 1),
                label: `Row ${index + 1}: ${cells.filter((cell) => cell !== '').join(', ') || 'empty'}`.slice(
                  0,
                  80,
                ),
              }))}
              onChange={({ currentTarget: { value } }) => change(() => ({ headerRow: Number(value) }))}
            />
          )}
          {kind !== null && found.layers.find(({ id }) => id === found.layer)?.geometry == null && (
            <NativeSelect
              label="Location column"
              value={layout.geometryColumn ?? detectedColumn(draft)}
              data={[
                { value: '', label: 'Latitude and longitude columns' },
                ...names.map((name) => ({
                  value: name,
                  label:
                    name === detected.geometryColumn?.name
                      ? `${name} (${notationLabels[detected.geometryColumn.notation]})`
                      : name,
                })),
              ]}
              onChange={({ currentTarget: { value } }) => change(() => ({ geometryColumn: value }))}
            />
          )}
          {isTable && (
            <NativeSelect
              label="Decimal separator"
              value={layout.decimalMark ?? detected.decimalMark}
              data={[
                { value: 'point', label: 'Point: 42.39' },
                { value: 'comma', label: 'Comma: 42,39' },
              ]}
              onChange={({ currentTarget: { value } }) =>
                change(() => ({ decimalMark: value as DecimalMark }))
              }
            />
          )}
          {dates.map(({ column, order }) => (
            <NativeSelect
              key={column}
              label={`Dates in ${column}`}
              value={order ?? ''}
              data={[
                ...(order === null ? [{ value: '', label: 'Choose' }] : []),
                { value: 'month-first', label: 'Month first: 12/31/2020' },
                { value: 'day-first', label: 'Day first: 31/12/2020' },
              ]}
              onChange={({ currentTarget: { value } }) =>
                change(({ dates: current }) => ({ dates: { ...current, [column]: value as DateOrder } }))
              }
            />
          ))}
        </div>
        {detected.degreesMinutesSeconds && (
          <p className={classes.formats}>
            Coordinates in degrees, minutes, and seconds, for example {detected.degreesMinutesSeconds}
          </p>
        )}
        {detected.excelDates.length > 0 && (
          <p className={classes.formats}>
            Excel date numbers in {formatList(detected.excelDates)} are read as dates.
          </p>
        )}
        {kind !== null && (
          <MadeFields
            fields={fieldsOf(kind, own)}
            names={names}
            layout={layout}
            joined={joinedOf(draft, layout)}
            onChange={change}
          />
        )}
      </div>
    </Disclosure>
  )
}

const orderLabels: Record<DateOrder, string> = { 'month-first': 'Month first', 'day-first': 'Day first' }

const notationLabels: Record<ShapeNotation, string> = {
  wkt: 'WKT',
  wkb: 'WKB',
  geojson: 'GeoJSON',
  'latitude-longitude': 'latitude, longitude',
}

const wasChanged = ({ headerRow, geometryColumn, decimalMark, ...records }: ImportLayout) =>
  [headerRow, geometryColumn, decimalMark].some((part) => part !== null) ||
  Object.values(records).some((record) => Object.keys(record).length > 0)

const detectedColumn = ({ matches }: ImportDraft) =>
  Object.entries(matches).find(([, field]) => field === 'wkt')?.[0] ?? ''

type Dates = FoundLayout['dates']

function datesOf(detected: FoundLayout, { matches, outcome }: ImportDraft, { dates }: ImportLayout): Dates {
  const named = Object.keys(dates).filter((column) => detected.dates.every((one) => one.column !== column))
  const later = (outcome?.unclearDates ?? []).filter(({ column }) =>
    detected.dates.every((one) => one.column !== column),
  )
  return [
    ...detected.dates.filter(({ column }) => Object.keys(matches).length === 0 || column in matches),
    ...later.map((one) => ({ ...one, order: null })),
    ...named.map((column) => ({ column, order: null, examples: [] })),
  ].map((one) => ({ ...one, order: dates[one.column] ?? one.order }))
}

function summaryOf(detected: FoundLayout, layout: ImportLayout, dates: Dates): string {
  const row = layout.headerRow ?? detected.headerRow
  const mark = layout.decimalMark ?? detected.decimalMark
  return [
    ...(row === null ? [] : [`header in row ${row}`]),
    ...(mark === 'comma' ? ['decimal comma'] : []),
    ...dates.map(
      ({ column, order }) => `${column} ${order === null ? 'ambiguous' : order.replace('-', ' ')}`,
    ),
  ].join(', ')
}

function joinedOf({ found, matches }: ImportDraft, { joined }: ImportLayout): Record<string, string[]> {
  const address = found?.layout?.address
  const field = address && matches[address.join(' + ')]
  return field && !(field in joined) ? { [field]: address, ...joined } : joined
}

function FirstRows({ layout: { firstRows, headerRow } }: { layout: FoundLayout }) {
  const header = headerRow ?? 1
  const width = Math.max(...firstRows.map((cells) => cells.length), 1)
  const columns = Array.from({ length: width }, (_, index) => index + 1)
  const rows = firstRows.slice(0, header + 3).map((cells, index) => ({ row: index + 1, cells }))
  return (
    <ScrolledTable label="First rows of the file" heads={['Row', ...columns.map(String)]}>
      {rows.map(({ row, cells }) => (
        <tr key={row} data-header={row === header || undefined}>
          <td className={classes.number}>{row}</td>
          {columns.map((column) => (
            <td key={column}>{cells[column - 1]}</td>
          ))}
        </tr>
      ))}
    </ScrolledTable>
  )
}

type MadeFieldsProps = {
  fields: Fields
  names: readonly string[]
  layout: ImportLayout
  joined: Readonly<Record<string, string[]>>
  onChange(changed: (current: ImportLayout) => Partial<ImportLayout>): void
}

function MadeFields({ fields, names, layout, joined, onChange }: MadeFieldsProps) {
  const [adding, setAdding] = useState<'joined' | 'constant' | null>(null)
  const choices = singleFields(fields).map(([value, { label }]) => ({ value, label }))
  const labelOf = (field: string) => choices.find(({ value }) => value === field)?.label ?? field
  const join = (field: string, columns: string[]) =>
    onChange((current) => ({ joined: { ...current.joined, [field]: columns } }))
  const set = (field: string, value: string) =>
    onChange(({ constants: { [field]: _, ...others } }) => ({
      constants: value === '' ? others : { ...others, [field]: value },
    }))
  const [constants, setConstants] = useState<readonly string[]>([])
  const ofAllRows = [...new Set([...Object.keys(layout.constants), ...constants])]
  const free = choices.filter(({ value }) => !(value in joined) && !ofAllRows.includes(value))
  return (
    <>
      {Object.entries(joined).map(([field, columns]) => (
        <MultiSelect
          key={field}
          label={`${labelOf(field)} from several columns`}
          description="Joined in this order, separated by spaces"
          data={[...new Set([...names, ...columns])]}
          value={columns}
          maxValues={5}
          onChange={(chosen) => join(field, chosen)}
          openOnFocus={false}
          searchable
          clearable
        />
      ))}
      {ofAllRows.map((field) => (
        <TextInput
          key={field}
          label={`${labelOf(field)} for all rows`}
          defaultValue={layout.constants[field] ?? ''}
          maxLength={2_000}
          onBlur={({ currentTarget: { value } }) => {
            if (value.trim() !== (layout.constants[field] ?? '')) set(field, value.trim())
          }}
        />
      ))}
      {adding && (
        <NativeSelect
          label={
            adding === 'joined'
              ? 'Field to fill from several columns'
              : 'Field with the same value in all rows'
          }
          value=""
          data={[{ value: '', label: 'Choose' }, ...free]}
          onChange={({ currentTarget: { value } }) => {
            if (adding === 'joined') join(value, [])
            else setConstants((current) => [...current, value])
            setAdding(null)
          }}
        />
      )}
      <div className={classes.choices}>
        <SmallButton size="compact-sm" onClick={() => setAdding('joined')}>
          Join columns
        </SmallButton>
        <SmallButton size="compact-sm" onClick={() => setAdding('constant')}>
          Set a value for all rows
        </SmallButton>
      </div>
    </>
  )
}
