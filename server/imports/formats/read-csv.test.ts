import { describe, expect, it } from 'vitest'
import { recordsOf } from '#test/imports/import-inputs.ts'
import { readRecords } from './read-records.ts'

const cellsOf = async (content: string | Uint8Array, chunkBytes?: number) =>
  (await recordsOf(content, 'file', chunkBytes)).records.map(({ properties }) =>
    Object.fromEntries(properties),
  )

describe('readCsv', () => {
  it.each([1, 5, 65_536])('reads rows with their lines, %i bytes at a time', async (chunkBytes) => {
    const { records } = await recordsOf('a,b\r\n1,"x\r\ny, ""z"""\r\n\r\n2,\r\n3,ö\r\n', 'file', chunkBytes)
    const row = (rowNumber: number, line: number, properties: object) =>
      expect.objectContaining({ rowNumber, line, properties: Object.entries(properties), format: 'csv' })
    expect(records).toEqual([
      row(1, 2, { a: '1', b: 'x\r\ny, "z"' }),
      row(2, 5, { a: '2', b: null }),
      row(3, 6, { a: '3', b: 'ö' }),
    ])
  })

  it('removes a byte order mark', async () => {
    expect(await cellsOf('\ufeffname,lat\nOak,1')).toEqual([{ name: 'Oak', lat: '1' }])
    expect(await cellsOf('\ufeff"name","lat"\nOak,1')).toEqual([{ name: 'Oak', lat: '1' }])
  })

  it('names columns without a name, and numbers repeated names', async () => {
    expect(await cellsOf(',id,id\n7,8,9')).toEqual([{ 'column 1': '7', id: '8', 'id (2)': '9' }])
  })

  it.each([
    ['name;lat\n"a;b";1', ';'],
    ['name\tlat\na;b\t1', 'tab'],
    ['name|lat\na;b|1', '|'],
    ['"x, y, z";lat\n1;2', ';'],
  ])('detects the separator: %j', async (text) => {
    expect(Object.keys((await cellsOf(text))[0] ?? {})).toHaveLength(2)
  })

  it('reads single cells that are not UTF-8 as Windows-1252, with one notice', async () => {
    const bytes = Buffer.from('a,b\n\u0093caf\u00e9\u0094,\u00c3\u00a9\n', 'latin1')
    const { records, notices } = await recordsOf(bytes)
    expect(records[0]?.properties).toEqual([
      ['a', '“café”'],
      ['b', 'é'],
    ])
    expect(notices).toEqual(['Some text is not valid UTF-8 and was read as Windows-1252.'])
  })

  it('reports rows with too many or too few cells', async () => {
    const { records } = await recordsOf('a,b\n1,2,3\n1\n1,2\n')
    expect(records.map(({ problem }) => problem)).toEqual([
      'it has 3 cells, but the header has 2',
      'it has 1 cells, but the header has 2',
      undefined,
    ])
  })

  it('keeps quotes inside cells that are not quoted', async () => {
    expect(await cellsOf('a,b\n12" pipe,1')).toEqual([{ a: '12" pipe', b: '1' }])
  })

  it('is rejected with the line of a quote that is never closed', async () => {
    await expect(recordsOf('a,b\n1,"x\n2,3\n')).rejects.toThrow(
      'a quoted cell is not closed at the end of the file, on line 3',
    )
  })

  it('rethrows errors of reading the file', async () => {
    async function* chunks() {
      yield Buffer.from('a,b\n'.padEnd(5000, '1,2\n'))
      throw new Error('the disk is gone')
    }
    const records = readRecords({ name: 'file.csv', chunks: chunks() }, () => {})
    const readAll = async () => {
      for await (const record of records) expect(record.problem).toBeUndefined()
    }
    await expect(readAll()).rejects.toThrow('the disk is gone')
  })
})
