import { describe, expect, it } from 'vitest'
import type { CustomField } from '#domain/definition/custom-field.ts'
import { maxColumnFields } from '#domain/features/column-fields.ts'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { knownColumns } from '#domain/features/table-columns.ts'
import {
  cardColumns,
  columnsOf,
  fieldsToAsk,
  isFull,
  isStandard,
  moveColumn,
  narrowestColumn,
  readColumnChoice,
  standardChoice,
  validChoice,
  whyFixed,
  widestColumn,
} from './table-columns.ts'

const available = knownColumns(noCustomFields)
const chosen = (...ids: string[]) => columnsOf({ ids, widths: {} }, available)
const customField = (key: string, label: string, type: CustomField['type']): CustomField => ({
  key,
  label,
  type,
  choices: [],
  isRequired: false,
  visibleTo: 'everyone' as const,
  help: null,
})
const idsOf = (columns: readonly { id: string }[]) => columns.map(({ id }) => id)

describe('a stored choice', () => {
  it('is read as it was stored', () => {
    const choice = { ids: ['status', 'owner'], widths: { name: 220 } }
    expect(readColumnChoice(JSON.stringify(choice), undefined)).toEqual(choice)
  })

  it.each([null, '', 'no JSON', 'null', '[]', '{}', '{"ids":"owner"}', '{"columns":["owner"]}'])(
    'by another version, %s, gives the standard columns',
    (text) => expect(readColumnChoice(text, 'parcel')).toEqual(standardChoice('parcel')),
  )

  it('omits only unknown parts', () => {
    const text = JSON.stringify({
      ids: ['owner', 7, null, 'owner', 'status'],
      widths: { owner: 5, status: 9_999, name: 'wide', type: null },
    })
    expect(readColumnChoice(text, undefined)).toEqual({
      ids: ['owner', 'status'],
      widths: { owner: narrowestColumn, status: widestColumn },
    })
  })

  it('omits removed columns, and keeps its order', () => {
    const choice = { ids: ['status', 'own.gone', 'owner', 'type'], widths: { 'own.gone': 90, owner: 120 } }
    expect(validChoice(choice, available)).toEqual({
      ids: ['status', 'owner', 'type'],
      widths: { owner: 120 },
    })
  })
})

describe('the columns of a choice', () => {
  it('start with icon and name, and have their stored widths', () => {
    const columns = columnsOf(
      { ids: ['owner', 'nothing', 'status'], widths: { owner: 200, name: 300 } },
      available,
    )
    expect(columns.map(({ id, width }) => [id, width])).toEqual([
      ['kind', 66],
      ['name', 300],
      ['owner', 200],
      ['status', 158],
    ])
  })

  it('are standard only without changes', () => {
    const standard = standardChoice(undefined)
    expect(isStandard(standard, undefined)).toBe(true)
    expect(isStandard(standard, 'parcel')).toBe(false)
    expect(isStandard({ ...standard, ids: standard.ids.toReversed() }, undefined)).toBe(false)
    expect(isStandard({ ...standard, widths: { name: 200 } }, undefined)).toBe(false)
  })

  it.each([
    [undefined, ['status', 'severity', 'type', 'date', 'parcel']],
    ['asset', ['status', 'type', 'nextDue', 'parcel']],
    ['parcel', ['owner', 'area', 'zoning.type']],
  ] as const)('are those with values for the kind %s', (kind, ids) => {
    expect(idsOf(columnsOf(standardChoice(kind), available))).toEqual(['kind', 'name', ...ids])
  })

  it.each([
    [459, undefined, ['status', 'severity', 'type']],
    [360, undefined, ['status', 'type']],
    [240, undefined, ['status']],
    [360, 'parcel', ['owner', 'area']],
  ] as const)('are on a card of %i pixels as many as fit (kind: %s)', (width, kind, ids) => {
    const columns = columnsOf(standardChoice(kind), available)
    expect(idsOf(cardColumns(columns, width))).toEqual(['kind', 'name', ...ids])
  })

  it.each([
    [0, ['c', 'a', 'b']],
    [1, ['a', 'c', 'b']],
    [9, ['a', 'b', 'c']],
    [-1, ['c', 'a', 'b']],
  ])('move one to place %i', (to, ids) => {
    expect(moveColumn({ ids: ['a', 'b', 'c'], widths: {} }, 'c', to).ids).toEqual(ids)
  })
})

describe('the requested fields', () => {
  it('are sorted, and only those that lists do not contain', () => {
    expect(fieldsToAsk(chosen('status', 'type'))).toBeUndefined()
    expect(fieldsToAsk(chosen('owner', 'status', 'area'))).toBe('area,owner')
    expect(fieldsToAsk(chosen('area', 'owner'))).toBe('area,owner')
  })

  it('are full at their maximum number', () => {
    const own = Array.from({ length: 20 }, (_, index) => customField(`key${index}`, `Own ${index}`, 'line'))
    const many = knownColumns({ ...noCustomFields, asset: own })
    const requested = idsOf(many.choosable.filter(({ isRequested }) => isRequested))
    const columns = (count: number) =>
      columnsOf({ ids: ['status', ...requested.slice(0, count)], widths: {} }, many)
    expect(isFull(columns(maxColumnFields - 1))).toBe(false)
    expect(isFull(columns(maxColumnFields))).toBe(true)
    expect(fieldsToAsk(columns(maxColumnFields + 1))?.split(',')).toHaveLength(maxColumnFields)
  })
})

describe('custom fields of a client', () => {
  const customFields: CustomFields = {
    ...noCustomFields,
    asset: [customField('code', 'Gate code', 'line')],
    parcel: [customField('code', 'Survey', 'day')],
  }
  const column = knownColumns(customFields).choosable.find(({ id }) => id === 'own.code')

  it('with one key are one column with the field of each kind', () => {
    expect(idsOf(knownColumns(customFields).choosable).filter((id) => id === 'own.code')).toHaveLength(1)
    expect(
      [...(column?.fields ?? [])].map(([kind, { path, field }]) => [kind, path, field.value.type]),
    ).toEqual([
      ['asset', 'own.code', 'line'],
      ['parcel', 'own.code', 'day'],
    ])
    expect(column?.label).toBe('Gate code')
  })

  it('cannot be edited for kinds without the field', () => {
    const why = (kind: FeatureSummary['kind']) => column && whyFixed({ kind } as FeatureSummary, column)
    expect(why('parcel')).toBeNull()
    expect(why('incident')).toBe('An incident has no gate code.')
  })
})
