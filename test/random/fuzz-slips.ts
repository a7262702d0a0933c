import fc from 'fast-check'
import type { FuzzRequest } from './fuzz-requests.ts'
import { goodWrite, type Write } from './fuzz-writes.ts'

const lineAsCircle: Write = {
  method: 'POST',
  url: '/api/maps/oak-hills/drawings',
  body: {
    items: [
      {
        id: '7d1f0000-0000-4000-8000-000000000009',
        kind: 'circle',
        name: '',
        note: '',
        geometry: {
          type: 'LineString',
          coordinates: [
            [-111, 34],
            [-111.1, 34],
          ],
        },
      },
    ],
  },
}

const ifMatch = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 5 }).map((version) => `"${version}"`) },
  { weight: 3, arbitrary: fc.constant('*') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['', '1', 'W/"1"', '"1", "2"', '"1","2",W/"3"', '"', '""', '"1" "2"', '*, "1"', ','],
      ...[
        '"99999999999999999999"',
        '"-1"',
        '"1e9"',
        '"\u00e9"',
        '"a,b"',
        `"${'x'.repeat(900)}"`,
        '"1",'.repeat(300),
      ],
    ),
  },
)

const keys = fc.constantFrom(
  'key-number-1',
  'key-number-2',
  'short',
  'x'.repeat(201),
  'with a blank in it',
  '\u00e9'.repeat(9),
)

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const oddJson = fc.constantFrom(
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\udfff\\ud800"',
    '""',
    '" "',
    'null',
    'true',
    '[]',
    '{}',
    '-0',
  ],
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '2147483648',
    '-1',
    '1.5',
    '"1"',
    '[null]',
    '{"lat":{}}',
  ],
  ...[
    deep(100),
    deep(2_000),
    `"${'x'.repeat(5_000)}"`,
    `"${'\u{1F468}\u200D'.repeat(60)}"`,
    '"9999-12-31T23:59:60Z"',
  ],
  ...[
    '"-271821-04-20T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '{"__proto__":{"x":1}}',
    '"__proto__"',
    '"constructor"',
  ],
)

const oddBody = fc.constantFrom(
  ...[
    '',
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{"a":',
    'nonsense',
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    deep(5_000),
  ],
  ...['{"status":"resolved","status":"offline"}', '{"name":"a","name":"b","location":""}', '{"":""}'],
  ...[
    '{"version":1,"version":2}',
    '{"constructor":{"prototype":{"x":1}}}',
    `{"name":"${'x'.repeat(30_000)}"}`,
  ],
)

const contentTypes = fc.constantFrom(
  ...Array<string>(12).fill('application/json'),
  ...[
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ],
)

type Slip = 'none' | 'value' | 'key' | 'drop' | 'body'

export const nearlyValidWrite: fc.Arbitrary<FuzzRequest> = fc
  .record({
    good: fc.oneof({ weight: 40, arbitrary: goodWrite }, { weight: 1, arbitrary: fc.constant(lineAsCircle) }),
    slip: fc.constantFrom<Slip>('none', 'none', 'none', 'value', 'value', 'value', 'key', 'drop', 'body'),
    at: fc.nat(9),
    oddJson,
    oddBody,
    ifMatch: fc.option(ifMatch, { freq: 8, nil: undefined }),
    key: fc.option(keys, { freq: 1, nil: undefined }),
    contentType: contentTypes,
    isSignedIn: fc.constantFrom(true, true, true, true, false),
  })
  .map(({ good, slip, at, oddJson, oddBody, ifMatch, key, contentType, isSignedIn }) => {
    const { method, url, body, bytes } = good
    const content = body === undefined ? bytes : spoil(body as object, slip, at, oddJson)
    const payload = slip === 'body' ? oddBody : content
    return {
      method,
      url,
      isSignedIn,
      headers: {
        ...(payload === undefined
          ? {}
          : { 'content-type': bytes === undefined ? contentType : 'application/octet-stream' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(payload === undefined ? {} : { payload }),
    }
  })

function spoil(body: object, slip: Slip, at: number, odd: string): string {
  const members = Object.entries(body).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)])
  const member = members[at % Math.max(1, members.length)]
  if (member && slip === 'value') member[1] = odd
  if (member && slip === 'key') member[0] = '"colour\\ud800"'
  if (slip === 'drop') members.splice(at % Math.max(1, members.length), 1)
  return `{${members.map((parts) => parts.join(':')).join(',')}}`
}
