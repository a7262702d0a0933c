import { lineLength, offsetLine, partOfLine } from '../land/curves.ts'
import { piecesInRing } from '../land/mesh.ts'
import type { Point } from '../land/plane.ts'
import type { Road } from '../land/roads.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { AssetDraft } from './asset-draft.ts'
import type { SampleSite } from './sample-site.ts'

const surfaces = [
  'Chip seal, 22 ft wide, ditches on both sides.',
  'Crushed rock, 20 ft wide. Graded in spring and fall.',
  'Gravel, 24 ft, with turnouts for engines.',
  'Asphalt millings, compacted; 20 mph.',
  'Native surface, 18 ft wide. Slick when wet.',
  'Recycled asphalt over base rock, no parking on the shoulder.',
  'Gravel with a crown; school bus route.',
]

/** What runs along the corridors: roads, mains, power and fiber; and the easement along the creek. */
export function assetLines({ land, frame, plan }: SampleSite, random: SeededRandom): AssetDraft[] {
  const [main, second, ...others] = land.roads as [Road, Road, ...Road[]]
  const deadEnds = land.roads.filter((road) => road !== main && road !== second && road.isDeadEnd)
  const branches = deadEnds.length > 1 ? deadEnds : others
  const beside = (road: Road, aside: number) => frame.toLine(besideRoad(road, aside))
  const line = (coordinates: ReturnType<typeof beside>) => ({ type: 'LineString' as const, coordinates })
  const lines = (parts: ReturnType<typeof beside>[]) => ({
    type: 'MultiLineString' as const,
    coordinates: parts,
  })
  const descriptions = random.shuffle(surfaces)

  const roads = land.roads.map(
    (road, index): AssetDraft => ({
      type: 'road',
      name: road.name,
      description: `${feet(road)} ft. ${descriptions[index % descriptions.length]}`,
      geometry: line(frame.toLine(road.line)),
      parcelId: null,
    }),
  )
  const creek = piecesInRing(land.creek, land.outline, false).map((piece) => frame.toLine(piece))
  const [onlyPiece, ...morePieces] = creek
  const drafts: Omit<AssetDraft, 'parcelId'>[] = [
    {
      type: 'water',
      name: `Water main, ${main.name}`,
      description: 'PVC of 6 in, laid 4 ft deep on the left side of the corridor.',
      geometry: line(beside(main, 6)),
    },
    {
      type: 'water',
      name: `Water main, ${second.name}`,
      description: 'PVC of 4 in with a blow-off at the far end.',
      geometry: line(beside(second, -6)),
    },
    {
      type: 'water',
      name: `Water laterals, ${branches.map((road) => road.name).join(' and ')}`,
      description: 'Two-inch lines to the lots at the end; curb stops at each drive.',
      geometry: lines(branches.map((road) => beside(road, 5))),
    },
    {
      type: 'electrical',
      name: `Overhead feeder, ${main.name}`,
      description: 'Three-phase, 7.2 kV, poles every 250 ft. Trimmed on a four-year cycle.',
      geometry: line(beside(main, -7)),
    },
    {
      type: 'electrical',
      name: `Buried service, ${branches[0]?.name}`,
      description: 'Single-phase cable in conduit, 36 in deep.',
      geometry: line(beside(branches[0] ?? second, -5)),
    },
    {
      type: 'communication',
      name: `Fiber, ${second.name}`,
      description: 'Armored cable of 48 strands, locator wire alongside. Call before you dig.',
      geometry: line(beside(second, 4)),
    },
    {
      type: 'water',
      name: `Drainage easement, ${plan.words.creek}`,
      description: 'Thirty feet on each side of the channel; nothing may be stored in it.',
      geometry: onlyPiece && morePieces.length === 0 ? line(onlyPiece) : lines(creek),
    },
  ]
  return [...roads, ...drafts.map((draft) => ({ ...draft, parcelId: null }))]
}

/** A line beside the middle of a road that stops short of its ends, as pipes do. */
function besideRoad(road: Road, aside: number): Point[] {
  return offsetLine(partOfLine(road.line, 12, lineLength(road.line) - 8), aside)
}

function feet(road: Road): string {
  return (Math.round(lineLength(road.line) / 0.3048 / 10) * 10).toLocaleString('en-US')
}
