import { describe, expect, it } from 'vitest'
import { recordsOf } from './test-inputs.ts'

describe('readRecords', () => {
  it.each([
    ['\ufeff  \n [{"a":1}]', 'table.csv', 'json'],
    ['a,b\n1,2', 'misnamed.geojson.txt', 'csv'],
    ['\u001e{"a":1}', 'sequence', 'json'],
    ['{"a":1}', 'page.csv', 'json'],
  ])('goes by the content: %j in %s is %s', async (text, name, format) => {
    expect((await recordsOf(text, name)).records[0]?.format).toBe(format)
  })

  it.each([
    ['', 'The file is empty.'],
    [' \n ', 'The file is empty.'],
    ['PK\u0003\u0004...', 'a zip archive'],
    ['\u001f\u008b\u0008', 'compressed with gzip'],
    ['<?xml version="1.0"?><kml/>', 'KML or GPX'],
    ['PAR1', 'a Parquet file'],
    ['fgb\u0003', 'a FlatGeobuf'],
    ['\u0000\u0000\u0027\u000a', 'no text'],
  ])('refuses %j: %s', async (text, message) => {
    await expect(recordsOf(Buffer.from(text, 'latin1'))).rejects.toThrow(message)
  })
})
