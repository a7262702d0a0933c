import { defaultClientLocation, sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureShape } from '#domain/features/kinds.ts'
import { operationalStatuses } from '#domain/features/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { smoothCurve } from '../land/curves.ts'
import { localFrame } from '../land/local-frame.ts'
import type { Point } from '../land/plane.ts'
import { type SeededRandom, seededRandom } from '../seeded-random.ts'
import { fieldNotes } from '../texts/field-notes.ts'

/** Section 3, 'Feature': feature-1 to feature-50 around the default location. */
export function viewerFeatures(): NewFeature[] {
  const random = seededRandom('viewer features')
  return fieldNotes.map(({ shape, featureType, name, description, notes }, index) => ({
    kind: 'feature',
    id: `feature-${index + 1}`,
    mapId: sampleMapId,
    geometry: geometryOfShape(shape, placeOfNumber(index, fieldNotes.length, random), random),
    name,
    description,
    featureType,
    status: random.chance(0.6) ? 'operational' : random.pick(operationalStatuses),
    metadata: [
      { name: 'customField1', value: random.integer(1, 1_000) },
      { name: 'notes', value: notes },
      { name: 'flag', value: random.chance(0.4) },
    ],
  }))
}

/** Shapes reach up to 280 m from their place, so all stay within 3 km. */
const reachMeters = 2_650

const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/** Evenly over a disc (a sunflower's order), with some chance so that no pattern shows. */
function placeOfNumber(index: number, count: number, random: SeededRandom): Point {
  const radius = reachMeters * Math.sqrt((index + 0.5) / count)
  const angle = index * goldenAngle
  const jitter = () => random.between(-60, 60)
  return [radius * Math.cos(angle) + jitter(), radius * Math.sin(angle) + jitter()]
}

const frame = localFrame(defaultClientLocation)

function geometryOfShape(shape: FeatureShape, place: Point, random: SeededRandom): Geometry {
  if (shape === 'point') return { type: 'Point', coordinates: frame.toPosition(place) }
  const heading = random.between(0, 2 * Math.PI)
  if (shape === 'line')
    return { type: 'LineString', coordinates: frame.toLine(trail(place, heading, random)) }
  return { type: 'Polygon', coordinates: [frame.toRing(patch(place, heading, random))] }
}

function trail([x, y]: Point, heading: number, random: SeededRandom): Point[] {
  const length = random.between(240, 480)
  return smoothCurve(
    [-0.5, -0.2, 0.2, 0.5].map((share): Point => {
      const aside = random.between(-55, 55)
      return [
        x + Math.cos(heading) * length * share - Math.sin(heading) * aside,
        y + Math.sin(heading) * length * share + Math.cos(heading) * aside,
      ]
    }),
  )
}

/** Seen from its place every corner lies farther round, so the ring never crosses itself. */
function patch([x, y]: Point, heading: number, random: SeededRandom): Point[] {
  const corners = random.integer(5, 9)
  const size = random.between(90, 190)
  return Array.from({ length: corners }, (_, corner): Point => {
    const angle = heading + ((corner + random.between(-0.3, 0.3)) / corners) * 2 * Math.PI
    const radius = size * random.between(0.7, 1.1)
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}
