import { distanceToRing, isInsideRing, type Point, ringCentroid } from '../land/plane.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { AssetDraft } from './asset-draft.ts'
import { placeInside, type SampleSite, type SitedParcel } from './sample-site.ts'

/** What covers ground: the pond, the park's field, courts and buildings, and two houses as footprints. */
export function assetAreas({ parcels, frame, plan }: SampleSite, random: SeededRandom): AssetDraft[] {
  const [park, pond] = parcels.filter((parcel) => parcel.isCommon) as [SitedParcel, SitedParcel]
  const heading = random.between(-0.5, 0.5)
  const polygon = (ring: readonly Point[]) => ({
    type: 'Polygon' as const,
    coordinates: [frame.toRing(ring)],
  })
  const polygons = (rings: readonly Point[][]) => ({
    type: 'MultiPolygon' as const,
    coordinates: rings.map((ring) => [frame.toRing(ring)]),
  })
  const field = roomiestPlace(park.ring, random)
  const half = Math.min(34, distanceToRing(field, park.ring) / 1.8)
  const at = (east: number, north: number): Point => turnedAround(field, east * half, north * half, heading)
  const box = (east: number, north: number, width: number, depth: number) =>
    rectangle(at(east, north), width * half, depth * half, heading)

  const inPark: Omit<AssetDraft, 'parcelId'>[] = [
    {
      type: 'recreation',
      name: `${plan.words.park} ball field`,
      description: 'Mown grass with a backstop. First come, first served except on Saturdays.',
      geometry: polygon(box(-0.4, 0.25, 0.75, 0.62)),
    },
    {
      type: 'recreation',
      name: 'Tennis and pickleball courts',
      description: 'Two courts with nets from April to October; bring your own light.',
      geometry: polygons([box(0.72, 0.55, 0.26, 0.3), box(0.72, -0.12, 0.26, 0.3)]),
    },
    {
      type: 'facility',
      name: 'Community building',
      description: 'Meetings on the second Tuesday. Seats 80; serves as shelter in an emergency.',
      geometry: polygon(ell(at(-0.5, -0.76), 0.42 * half, 0.24 * half, heading)),
    },
    {
      type: 'facility',
      name: 'Equipment sheds',
      description: 'Pole sheds for the grader attachments, sand and the mower.',
      geometry: polygons([box(0.35, -0.8, 0.16, 0.12), box(0.8, -0.8, 0.16, 0.12)]),
    },
  ]
  const homes = random.shuffle(
    parcels.filter(({ isCommon, feature }) => !isCommon && (feature.buildings ?? 0) > 1),
  )
  const footprints = homes.slice(0, 2).map(
    ({ feature, ring, shortName }): AssetDraft => ({
      type: 'residence',
      name: `Farmstead, ${shortName}`,
      description: 'House and attached barn around a yard. Dogs on the property; honk at the gate.',
      geometry: polygon(ell(placeInside(ring, 40, random), 13, 9, random.between(0, 3))),
      parcelId: feature.id,
    }),
  )
  return [
    {
      type: 'water',
      name: plan.words.pond,
      description: 'About 9 ft deep at the dam. Draft site for engines on the road side.',
      geometry: polygon(shore(pond.ring, random)),
      parcelId: pond.feature.id,
    },
    ...inPark.map((draft) => ({ ...draft, parcelId: park.feature.id })),
    ...footprints,
  ]
}

function roomiestPlace(ring: readonly Point[], random: SeededRandom): Point {
  const center = ringCentroid(ring)
  const places = [...(isInsideRing(center, ring) ? [center] : []), placeInside(ring, 1_000, random)]
  return places.reduce((best, other) =>
    distanceToRing(other, ring) > distanceToRing(best, ring) ? other : best,
  )
}

function turnedAround([x, y]: Point, east: number, north: number, radians: number): Point {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)]
  return [x + east * cosine - north * sine, y + east * sine + north * cosine]
}

function rectangle(center: Point, halfWidth: number, halfDepth: number, radians: number): Point[] {
  const corners: Point[] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
  return corners.map(([east, north]) => turnedAround(center, east * halfWidth, north * halfDepth, radians))
}

function ell(center: Point, halfWidth: number, halfDepth: number, radians: number): Point[] {
  const corners: Point[] = [
    [-1, -1],
    [1, -1],
    [1, 0.1],
    [-0.1, 0.1],
    [-0.1, 1],
    [-1, 1],
  ]
  return corners.map(([east, north]) => turnedAround(center, east * halfWidth, north * halfDepth, radians))
}

/** A round, uneven shore that keeps away from the parcel's border. */
function shore(ring: readonly Point[], random: SeededRandom): Point[] {
  const center = roomiestPlace(ring, random)
  const reach = Math.min(110, 0.8 * distanceToRing(center, ring))
  const [phase, tilt] = [random.between(0, 6), random.between(0, 6)]
  return Array.from({ length: 22 }, (_, index): Point => {
    const angle = (index / 22) * 2 * Math.PI
    const share = 0.74 + 0.14 * Math.sin(2 * angle + phase) + 0.09 * Math.sin(3 * angle + tilt)
    return [center[0] + reach * share * Math.cos(angle), center[1] + reach * share * Math.sin(angle)]
  })
}
