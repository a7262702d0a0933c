import fc from 'fast-check'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import { isStorableText } from '#domain/values/text.ts'

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })

export const arbitraryPosition: fc.Arbitrary<Position> = fc.tuple(degrees(-112, -110), degrees(33, 35))

const line = fc.array(arbitraryPosition, { minLength: 2, maxLength: 6 })

const ring = fc
  .array(arbitraryPosition, { minLength: 3, maxLength: 6 })
  .map((positions): Position[] => [...positions, positions[0] as Position])

export const arbitraryGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  arbitraryPosition.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  line.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc
    .array(line, { minLength: 1, maxLength: 2 })
    .map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  ring.map((outer): Geometry => ({ type: 'Polygon', coordinates: [outer] })),
  fc
    .array(ring, { minLength: 1, maxLength: 2 })
    .map((rings): Geometry => ({ type: 'MultiPolygon', coordinates: rings.map((outer) => [outer]) })),
)

/** Few words, so that searches match; some of them are folded and tokenized differently. */
export const words = [
  'oak',
  'Oaks',
  'lot',
  'Lot 12',
  'Élan',
  'straße',
  'naïve',
  'İstanbul',
  "o'neil",
  '水',
  'x-1',
  'ﬁre',
  'x'.repeat(3000),
]

const text = fc.oneof(
  fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((chosen) => chosen.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isStorableText),
)

const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const shared = {
  mapId: fc.constant('a-map'),
  geometry: arbitraryGeometry,
  metadata: fc.constant<Metadata>([]),
  description: text,
}

const incident = fc.record({
  ...shared,
  kind: fc.constant('incident' as const),
  title: text,
  type: fc.option(fc.constantFrom(...incidentTypes)),
  severity: fc.option(fc.constantFrom(...severities)),
  date: fc.option(instant),
  parcelId: fc.constant(null),
  reportedBy: fc.constant(null),
  resolved: fc.boolean(),
  resolvedDate: fc.constant(null),
})

const asset = fc.record({
  ...shared,
  kind: fc.constant('asset' as const),
  name: text,
  type: fc.option(fc.constantFrom(...assetTypes)),
  status: fc.constant('operational' as const),
  parcelId: fc.constant(null),
  installDate: fc.constant(null),
  lastMaintenance: fc.constant(null),
  maintenanceHistory: fc.constant<{ date: string; description: string }[]>([]),
})

const parcel = fc.record({
  ...shared,
  kind: fc.constant('parcel' as const),
  name: text,
  owner: fc.constant(null),
  area: fc.constant(null),
  buildings: fc.constant(null),
  purchaseDate: fc.constant(null),
  zoning: fc.constant(null),
  taxInfo: fc.constant(null),
})

export const arbitraryFeatures: fc.Arbitrary<NewFeature[]> = fc
  .array(fc.oneof(incident, asset, parcel), { minLength: 1, maxLength: 30 })
  .map((features) => features.map((feature, index): NewFeature => ({ ...feature, id: `f${index}` })))
