import type { InjectOptions } from 'fastify'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { comb, flatBoomerang, slantedComb, slantedHoles } from './hostile-shapes.ts'

// Valid requests of the largest size or the highest cost.

type Hostile = { what: string; requests: InjectOptions[] }

const map = '/api/maps/oak-hills'
const items = '/ogc/oak-hills/collections/parcels/items'

const ofFilter = (filter: string): InjectOptions => ({
  method: 'GET',
  url: `${items}?limit=1&filter=${encodeURIComponent(filter)}`,
})
const wkt = (corners: readonly (readonly number[])[]) =>
  `POLYGON((${[...corners, corners[0] ?? []].map((corner) => corner.join(' ')).join(',')}))`
const slanted = Array.from({ length: 480 }, (_, at) => (at % 2 === 0 ? [at, 0] : [at + 1, 80]))
const intersects = (shape: string) => `S_INTERSECTS(geometry,${shape})`
const lists = ['features', 'counts', 'export?format=csv&', 'activity', 'removed-features']

export const hostileQueries: Hostile[] = [
  {
    what: 'patterns of LIKE with many wildcards',
    requests: [4, 16, 64].flatMap((count) => [
      ofFilter(`'${'a'.repeat(3_500)}' LIKE '${'%a'.repeat(count)}%b'`),
      ofFilter(`name LIKE '${'%a'.repeat(count)}%b'`),
      ofFilter(`CASEI('${'A'.repeat(3_000)}') LIKE CASEI('${'%_A'.repeat(count)}')`),
    ]),
  },
  {
    what: 'filters that are as long or deep as can be',
    requests: [
      ofFilter(`${'NOT '.repeat(900)}TRUE`),
      ofFilter('('.repeat(3_999)),
      ofFilter(`${'area=1 OR '.repeat(399)}area=1`),
      ofFilter(`area IN (${'1,'.repeat(1_990)}1)`),
      ofFilter(`${'"'.repeat(3_999)}`),
      ofFilter(`${"'".repeat(3_999)}`),
      ofFilter(`area = ${'1'.repeat(3_900)}`),
      ofFilter(`${' '.repeat(3_990)}TRUE`),
    ],
  },
  {
    what: 'shapes that meet in many places',
    requests: [
      ofFilter(intersects(wkt(slanted.slice(0, 350)))),
      ofFilter(
        `not (${Array(25)
          .fill(intersects(wkt(slanted.slice(0, 8))))
          .join(' or ')})`,
      ),
      ofFilter(Array(40).fill(intersects('BBOX(-180,-90,180,90)')).join(' and ')),
    ],
  },
  {
    what: 'texts as long as addresses can be',
    requests: lists.flatMap((list) =>
      ['a '.repeat(100), 'é'.repeat(200), '%'.repeat(100), '"*'.repeat(100), `${'1'.repeat(199)}`].map(
        (text): InjectOptions => ({
          method: 'GET',
          url: `${map}/${list}${list.includes('?') ? '' : '?'}text=${encodeURIComponent(text)}`,
        }),
      ),
    ),
  },
  {
    what: 'boxes with endless digits',
    requests: lists.flatMap((list) =>
      [`1.${'1'.repeat(10_000)},2,3,4`, '1,'.repeat(5_000), `${'-'.repeat(10_000)}1,2,3,4`].map(
        (bbox): InjectOptions => ({
          method: 'GET',
          url: `${map}/${list}${list.includes('?') ? '' : '?'}bbox=${bbox}`,
        }),
      ),
    ),
  },
]

const post = (url: string, body: unknown): InjectOptions => ({
  method: 'POST',
  url,
  payload: JSON.stringify(body),
})

/** `corners` per shape; few corners warm up the code. */
export function hostileBodies(corners = 19_990): Hostile[] {
  const circle = Array.from({ length: corners - 1 }, (_, at): Position => {
    const angle = (2 * Math.PI * at) / (corners - 1)
    return [-111 + 0.02 * Math.cos(angle), 34 + 0.02 * Math.sin(angle)]
  })
  const shapes: [what: string, geometry: Geometry][] = [
    ['slanted teeth', slantedComb(corners)],
    ['slanted holes', slantedHoles(Math.floor(corners / 5) - 8)],
    ['a shape that is almost flat', flatBoomerang(1e9)],
    ['a circle', { type: 'Polygon', coordinates: [[...circle, circle[0] as Position]] }],
    ['teeth', comb(Math.floor(corners / 4) - 2)],
    ['a long line', { type: 'LineString', coordinates: circle }],
    ['many points', { type: 'MultiPoint', coordinates: circle }],
  ]
  const bodies = shapes.map(([what, geometry]): Hostile => {
    const feature = (kind: string) => ({ kind, id: crypto.randomUUID(), name: 'x', geometry })
    const kinds = ['parcel', 'asset']
    return {
      what,
      requests: [
        ...kinds.flatMap((kind) => [
          post(`${map}/features`, feature(kind)),
          post(`${map}/shape-check`, { kind, geometry }),
          post(`${map}/features/changes`, {
            id: crypto.randomUUID(),
            items: Array.from({ length: 2 }, () => ({ action: 'add', feature: feature(kind) })),
          }),
        ]),
        {
          method: 'PATCH',
          url: `${map}/features/lot`,
          payload: JSON.stringify({ geometry }),
        },
        post('/ogc/oak-hills/collections/parcels/items', { type: 'Feature', geometry, properties: {} }),
        post(`${map}/drawings`, {
          items: [{ id: crypto.randomUUID(), kind: 'polygon', name: '', note: '', geometry }],
        }),
      ],
    }
  })
  const small = (kind: string, at: number) => ({
    kind,
    id: crypto.randomUUID(),
    name: `Number ${at}`,
    geometry: { type: 'Point', coordinates: [-111 + at * 1e-5, 34] },
  })
  const changes = (items: unknown[]) => post(`${map}/features/changes`, { id: crypto.randomUUID(), items })
  const count = Math.min(500, corners)
  const circles = Math.min(count, 5)
  const land: Geometry = { type: 'Polygon', coordinates: [[...circle, circle[0] as Position]] }
  const lasso = circle.slice(0, 2_000)
  const spiky = Array.from({ length: Math.min(corners, 2_000) }, (_, at) =>
    at % 2 === 0 ? [-111 + at * 1e-5, 34] : [-110.5 + at * 1e-5, 34.5],
  )
  return [
    ...bodies,
    {
      what: 'as many features as can be, on land of many corners',
      requests: [
        changes(
          Array.from({ length: circles }, () => ({
            action: 'add',
            feature: { kind: 'parcel', id: crypto.randomUUID(), name: 'Land', geometry: land },
          })),
        ),
        changes(Array.from({ length: count }, (_, at) => ({ action: 'add', feature: small('asset', at) }))),
        changes(
          Array.from({ length: count }, (_, at) => ({
            action: 'change',
            id: `none-${at}`,
            version: 1,
            change: { name: 'x' },
          })),
        ),
        post(`${map}/features`, { kind: 'parcel', id: crypto.randomUUID(), name: 'Land', geometry: land }),
      ],
    },
    {
      what: 'areas to select by',
      requests: [lasso, spiky].map((ring) => post(`${map}/features-within`, { ring })),
    },
  ]
}
