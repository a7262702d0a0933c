import { describe, expect, it } from 'vitest'
import { detectedLayout, type ImportLayout } from '#domain/imports/import-layout.schema.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { arrange, decideLayout, readStart } from './decide-layout.ts'
import { detectLayout } from './detect-layout.ts'

async function found(content: string) {
  const { records, table } = await readStart(inputOf(content), null)
  return { ...detectLayout(records, table), names: records[0]?.properties.map(([name]) => name) }
}

const decided = (
  content: string,
  overrides: Partial<ImportLayout> = {},
  kind: 'incident' | 'parcel' = 'incident',
) =>
  decideLayout(inputOf(content), {
    overrides: { ...detectedLayout, ...overrides },
    columns: new Map(),
    fields: fieldsOfKind(kind),
    addressField: kind === 'parcel' ? 'name' : undefined,
  })

describe('the header of a table', () => {
  it.each([
    ['in the first row', 'id,name\n1,A\n', 1],
    ['below titles', 'Owners,,,\nAs of 5/1/2025,,,\n,,,\nNo,Name,Lat,Lon\n1,A,42.1,-71.2\n', 4],
    ['below a title and an empty line', 'Owners\n\nNo,Name,Lat,Lon\n1,A,42.1,-71.2\n', 3],
    ['below filled cells, by its coordinates', 'Owners,Oak,As of,2025\nNo,Name,Lat,Lon\n1,A,42.1,-71.2\n', 2],
    ['below the separator that Excel names', 'sep=;\nid;name;lat;lon\n1;A, B;42,1;-71,2\n', 2],
    ['in the first row with an empty name', ',id,id\n7,8,9\n', 1],
  ])('is found %s', async (_, content, row) => {
    expect((await found(content)).headerRow).toBe(row)
  })

  it('can be selected by the user', async () => {
    const { records, table } = await readStart(inputOf('a,b\nc,d\ne,f\n'), 2)
    expect(records.map(({ properties }) => Object.fromEntries(properties))).toEqual([{ c: 'e', d: 'f' }])
    expect(table).toMatchObject({
      headerRow: 2,
      rows: [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    })
  })
})

describe('the decimal mark', () => {
  it.each([
    ['id;lat;lon\n1;42,39;-71,09\n', 'comma'],
    ['id;area\n1;1,234\n', 'comma'],
    ['id,area\n1,"1,234"\n', 'point'],
    ['id,area\n1,"1,5"\n', 'comma'],
    ['id,area,lat\n1,"1,5",42.39\n', 'point'],
    ['id;price;lat\n1;1.234.567;42,39\n', 'comma'],
  ])('of %j is a %s', async (content, mark) => {
    expect((await found(content)).decimalMark).toBe(mark)
  })
})

it.each([
  ['id,Where\n1,"(42.39, -71.09)"\n', { name: 'Where', notation: 'latitude-longitude', isOfPoints: true }],
  [
    'id,Map\n1,"https://www.google.com/maps/@42.39,-71.09,17z"\n',
    { name: 'Map', notation: 'latitude-longitude', isOfPoints: true },
  ],
  [
    'id,Map\n1,https://maps.app.goo.gl/AbC\n',
    { name: 'Map', notation: 'latitude-longitude', isOfPoints: true },
  ],
  [
    'id,Map,Shape\n1,https://maps.google.com/?q=42.39%2C-71.09,"LINESTRING (0 0, 1 1)"\n',
    { name: 'Shape', notation: 'wkt', isOfPoints: false },
  ],
  ['id,name\n1,Elm (2 and 3)\n', null],
])('finds the column with shapes by its content: %j', async (content, column) => {
  expect((await found(content)).geometryColumn).toEqual(column)
})

it('leaves a short link to a map, which contains no place, to its row', async () => {
  const links = 'id,Map\n1,https://maps.app.goo.gl/AbC\n2,"42.39,-71.09"\n'
  expect([...(await decided(links)).columns]).toEqual([['wkt', 'Map']])
})

it('prefers columns of latitude and longitude to points in one column', async () => {
  const both = 'id,lat,lon,spot\n1,42.39,-71.09,"(42.39, -71.09)"\n'
  expect([...(await decided(both)).columns]).toEqual([])
  const one = await decided('id,lat,spot\n1,42.39,"(42.39, -71.09)"\n')
  expect([...one.columns]).toEqual([['wkt', 'spot']])
})

it.each([
  ['-89.9, 40.1', '-90.1, 40.2', 'longitude-first'],
  ['40.1, -89.9', '40.2, -90.1', 'latitude-first'],
  ['-90.1, 40.1', '40.2, -90.1', 'mixed'],
  ['40.1, -80.9', '40.2, -80.1', 'latitude-first'],
])('detects one order of coordinates for a column: %j and %j', async (one, other, pairOrder) => {
  expect(await decided(`id,spot\n1,"${one}"\n2,"${other}"\n`)).toMatchObject({ pairOrder })
})

describe('a row after the first ones', () => {
  const repeated = (row: string) => Array.from({ length: 3_000 }, (_, index) => `${index},${row}`).join('\n')

  it('proves the order of coordinates in one cell', async () => {
    const rows = repeated('"-89.9, 40.1"')
    expect(await decided(`id,spot\n${rows}\n3001,"-90.1, 40.2"\n`)).toMatchObject({
      pairOrder: 'longitude-first',
    })
  })

  it('proves a decimal comma', async () => {
    const head = `id,lat,lon,acreage\n${repeated('42,-71,"1,234"')}`
    expect(await decided(`${head}\n3001,42,-71,"1,5"\n`, {}, 'parcel')).toMatchObject({
      decimalMark: 'comma',
    })
    expect(await decided(`${head}\n3001,42,-71,1.5\n`, {}, 'parcel')).toMatchObject({ decimalMark: 'point' })
  })
})

describe('the dates of a column', () => {
  const rows = (count: number, date: string) =>
    Array.from({ length: count }, (_, row) => `${row},${date}`).join('\n')
  const orderOf = async (content: string, overrides?: Partial<ImportLayout>) => {
    const { dates, unclearDates } = await decided(content, overrides)
    return { order: dates.get('date')?.orders?.['/'], isUnclear: unclearDates.has('date') }
  }

  it.each([
    ['31/12/2020\n2,01/02/2021', 'day-first', false],
    ['12/31/2020\n2,01/02/2021', 'month-first', false],
    ['01/02/2021\n2,03/04/2021', undefined, true],
    ['31/12/2020\n2,12/31/2020\n3,01/02/2021', undefined, true],
    ['31/12/2020\n2,12/31/2020', undefined, false],
    ['01/01/2021\n2,2020-12-31', undefined, false],
  ])('detects one order from all values: %j', async (values, order, isUnclear) => {
    expect(await orderOf(`id,date\n1,${values}\n`)).toEqual({ order, isUnclear })
  })

  it('are read in the order that a later row proves, or that the user selects', async () => {
    const expected = { order: 'day-first', isUnclear: false }
    const content = `id,date\n${rows(3_000, '01/02/2021')}\n`
    expect(await orderOf(`${content}3001,31/12/2020\n`)).toEqual(expected)
    expect(await orderOf(content, { dates: { date: 'day-first' } })).toEqual(expected)
  })

  it('have an order for each separator', async () => {
    const { dates } = await decided('id,date\n1,12/31/20\n2,31.12.2020\n3,44196\n')
    expect(dates.get('date')).toMatchObject({
      orders: { '/': 'month-first', '.': 'day-first' },
      hasExcelDays: true,
    })
  })

  it('are not day numbers of Excel if another number cannot be one', async () => {
    const { dates } = await decided('id,date\n1,44196\n2,2015\n')
    expect(dates.get('date')?.hasExcelDays).toBe(false)
  })
})

describe('joined columns and constants', () => {
  const lots = 'AddNum,Street,lat,lon\n12,Elm St,42.39,-71.09\n14,Elm St,42.39,-71.08\n'
  const first = { rowNumber: 1, properties: Object.entries({ AddNum: '12', Street: 'Elm St', Unit: null }) }

  it('make the name of a lot of its house number and street', async () => {
    const layout = await decided(lots, {}, 'parcel')
    expect([...layout.columns]).toEqual([['name', 'AddNum + Street']])
    expect(arrange(first, layout).properties.at(-1)).toEqual(['AddNum + Street', '12 Elm St'])
  })

  it('do not fill the name if a column has that name, or the user joins none', async () => {
    expect([...(await decided(lots.replace('lat', 'Name,lat'), {}, 'parcel')).columns]).toEqual([])
    expect([...(await decided(lots, { joined: { name: [] } }, 'parcel')).columns]).toEqual([])
  })

  it('are rejected if a table has no such column', async () => {
    await expect(decided(lots, { joined: { title: ['AddNum', 'Streat'] } })).rejects.toThrow(
      'No row has a column "Streat". The columns are AddNum, Street, lat, and lon.',
    )
  })

  it('fill the selected fields', async () => {
    const layout = await decided(lots, {
      joined: { title: ['Street', 'AddNum'] },
      constants: { severity: 'low' },
    })
    expect(Object.fromEntries(arrange(first, layout).properties)).toMatchObject({
      'Street + AddNum': 'Elm St 12',
      'severity of all rows': 'low',
    })
  })
})
