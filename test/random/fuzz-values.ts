import fc from 'fast-check'

const encodedBytes = fc
  .uint8Array({ maxLength: 12 })
  .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))

const encodedText = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map((text) => encodeURIComponent(text.toWellFormed()))

const lonePieces = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  '%ed%a0%80',
  '%ff',
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '\\',
  ';',
  '@',
)

export const piece = fc.oneof(encodedText, encodedBytes, lonePieces, fc.stringMatching(/^[\w.~-]{0,12}$/))

const headerValue = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 30,
  })
  .filter((text) => !text.includes('\u007f'))

export const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'if-none-match',
    'if-modified-since',
    'range',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'cookie',
    'origin',
    'content-type',
    'accept-version',
    'x-http-method-override',
    'authorization',
  ),
  headerValue,
  { maxKeys: 4 },
)

export const extremes = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  '99999999999999999999999999',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '-000001-01-01',
  '2026-13-01',
  '2026-05-20T00:00:00Z',
  '180,90,180,90',
  '-180,-90,180,90',
  '1,2,3,4,5',
  ',,,',
  "'; drop table features; --",
  '%',
  '_',
  '"*"',
  'a:* & b',
  '\u0000',
  '\uFEFF',
  '\u202E',
  '\uFFFF',
  '\u{1F468}\u200D\u{1F469}',
  'İ',
  'ß'.repeat(100),
  'x'.repeat(250),
  'x'.repeat(5_000),
  '\u0301'.repeat(100),
  ...[
    ['a'],
    ['a', 'b'],
    ['a', 'b', 'c'],
    [1, 2, 3],
    [null],
    ['\ud800', 'a', 'b'],
    ['\u0000', 'a'],
    {},
    'a',
    1,
  ].map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
]

/** Unusual but valid values, which reach the queries. */
export const oddValues = fc.record({
  text: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  since: fc.constantFrom('0000-01-01', '0001-01-01', '1582-10-10', '2024-02-29', '9999-12-31'),
  limit: fc.constantFrom('1', '500', '1e2', '0x10', ' 7 ', '1.0', '+5', '0b11'),
  bbox: fc.constantFrom(
    '0,0,0,0',
    '-180,-90,180,90',
    '180,90,180,90',
    '-0,-0,0,0',
    '-111.123456789012345678,34,-111,34',
  ),
  after: fc
    .array(
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
      { minLength: 3, maxLength: 3 },
    )
    .map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url')),
  kind: fc.constantFrom(',', 'asset,asset,asset', ',asset,', 'incident,asset,parcel,incident'),
  type: fc.constantFrom(',,', 'fire,fire', `${'water,'.repeat(80)}`),
  status: fc.constantFrom(',', 'resolved,offline,resolved'),
  sort: fc.constantFrom('parcel', '-parcel', '-status', '-name'),
  offset: fc.constantFrom('0', '1000000000', '1e3', ' 7 ', '-0'),
  state: fc.constantFrom('archived', 'open'),
  mine: fc.constantFrom('true', 'false'),
  severity: fc.constantFrom('unknown', 'unknown,unknown,high', ','),
})
