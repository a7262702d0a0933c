import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputOf } from '#test/imports/import-inputs.ts'
import { createDecoder } from './decode-text.ts'
import { type JsonPiece, splitJson } from './split-json.ts'

async function piecesOf(text: string, chunkBytes?: number) {
  const decode = createDecoder(() => {})
  const all: (Omit<JsonPiece, 'read'> & { value?: unknown })[] = []
  for await (const pieces of splitJson(inputOf(text, 'file', chunkBytes).chunks, decode))
    for (const { read, ...piece } of pieces as (JsonPiece & { read?: () => unknown })[])
      all.push(read ? { ...piece, value: read() } : piece)
  return all
}

const collection =
  '{ "type": "FeatureCollection", "name": "a \\"b\\" ]}", "n": 12.5,\n "features": [ {"a": [1, {"b": "}]"}]}, null, "ö😀" ], "end": {"x": []}, "last": true }'

describe('splitJson', () => {
  it.each([1, 2, 3, 7, 65_536])(
    'cuts a collection into its features, %i bytes at a time',
    async (chunkBytes) => {
      expect(await piecesOf(collection, chunkBytes)).toEqual([
        { piece: 'member', name: 'type', value: 'FeatureCollection' },
        { piece: 'member', name: 'name', value: 'a "b" ]}' },
        { piece: 'member', name: 'n', value: 12.5 },
        { piece: 'features' },
        { piece: 'element', value: { a: [1, { b: '}]' }] }, isOfFeatures: true },
        { piece: 'element', value: null, isOfFeatures: true },
        { piece: 'element', value: 'ö😀', isOfFeatures: true },
        { piece: 'member', name: 'end', value: { x: [] } },
        { piece: 'member', name: 'last', value: true },
        { piece: 'root', type: 'object' },
      ])
    },
  )

  it.each([1, 65_536])('reads any array as its elements, %i bytes at a time', async (chunkBytes) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), async (values, indent) => {
        const pieces = await piecesOf(JSON.stringify(values, null, indent), chunkBytes)
        const read = pieces.flatMap((piece) => (piece.piece === 'element' ? [piece.value] : []))
        expect(read).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  it('reads one value a line, also with record separators', async () => {
    const pieces = await piecesOf('{"a":1}\n{"a":2}\r\n\n\u001e{"a":3}\n')
    expect(pieces.flatMap((piece) => (piece.piece === 'member' ? [piece.value] : []))).toEqual([1, 2, 3])
  })

  it.each([
    ['{"features":[{"a":1},\n {"b":}]}', 'line 2, column 7 (byte 28): found "}" instead of a value'],
    ['{"features":[{"a":1}\n\n  {"b":1}]}', 'line 3, column 3 (byte 24): found "{" instead of , or ]'],
    [
      '{"type": "MultiPoint"\n "coordinates": []}',
      'line 2, column 2 (byte 23): found "\\"" instead of , or }',
    ],
    ['[1,\n2,\n,3]', 'line 3, column 1 (byte 7): found "," instead of a value'],
    ['[{"ö":1},{"ö" 1}]', 'column 17 (byte 16): found "1" instead of a colon'],
    ['[\n{"ö": 1,\n "ö" 2}]', 'line 3, column 7 (byte 18): found "2" instead of a colon'],
    ['{"a" 1}', 'line 1, column 6 (byte 5): found "1" instead of a colon'],
    ['{1:2}', 'line 1, column 2 (byte 1): found "1" instead of a name or }'],
    ['[{"a":1},{"b":tru},]]', 'line 1, column 15 (byte 14): found "t" instead of a value'],
    ['[tru]', 'line 1, column 2 (byte 1): found "t" instead of a value'],
    ['[1]]', 'line 1, column 4 (byte 3): found "]" instead of a value'],
    ['{"a":[1}]\n}', 'line 1, column 8 (byte 7): found "}" instead of , or ]'],
    [
      '[1,\n{"a": [1, 2',
      'ends too early at line 2, column 12 (byte 15), inside the value that starts at line 2, column 1 (byte 4)',
    ],
    ['{"features": [{},', 'ends too early at line 1, column 18 (byte 17).'],
  ])('reports where %j is broken', async (text, where) => {
    await expect(piecesOf(text)).rejects.toThrow(where)
    await expect(piecesOf(text, 1)).rejects.toThrow(where)
  })

  it.each(['[', '{"a":'])('rejects values nested a million levels deep: %s', async (opening) => {
    const nested = `{"type":"FeatureCollection","features":[${opening.repeat(1_000_000)}`
    await expect(piecesOf(nested)).rejects.toThrow(
      'The JSON value at line 1, column 41 (byte 40) is nested more than 100 levels deep.',
    )
  })
})
