import type { SeededRandom } from '../seeded-random.ts'
import { type Block, type Chord, chordsOfBlock, frontageMeters, raggedness } from './chords.ts'
import { type Face, type Mesh, pointsOfFace, splitFace } from './mesh.ts'
import { type Point, ringArea, ringCentroid } from './plane.ts'

/** What a county asks of a lot before it may be built on. */
export const minFrontageMeters = 28

export const snapMeters = 9

export type LotSize = (place: Point) => number

/** Cuts blocks into lots that lie on a road, until none is much larger than the wished size at its place. */
export function divideBlocks(mesh: Mesh, sizeAt: LotSize, random: SeededRandom) {
  const waiting = mesh.faces.filter((face) => face.use === 'block')
  for (let face = waiting.pop(); face; face = waiting.pop()) {
    const block = blockOfFace(mesh, face)
    const size = sizeAt(ringCentroid(block.ring)) * random.between(0.7, 1.5)
    const chord = ringArea(block.ring) > 1.55 * size ? bestChord(block, size, random) : undefined
    const before = mesh.faces.indexOf(face)
    if (chord && splitFace(mesh, face, [chord.from, chord.to], { snapMeters: 0.01 })) {
      waiting.push(...mesh.faces.slice(before, before + 2))
    } else face.use = 'lot'
  }
}

export function blockOfFace(mesh: Mesh, face: Face): Block {
  const roadEdges = new Set(
    mesh.faces
      .filter((other) => other.use === 'road')
      .flatMap(({ ring }) => ring.map((vertex, index) => `${ring[(index + 1) % ring.length]} ${vertex}`)),
  )
  const { ring } = face
  const onRoad = ring.map((vertex, index) => roadEdges.has(`${vertex} ${ring[(index + 1) % ring.length]}`))
  return { ring: pointsOfFace(mesh, face), onRoad }
}

function bestChord(block: Block, size: number, random: SeededRandom): Chord | undefined {
  const tilt = random.between(-0.2, 0.2)
  const chords = chordsOfBlock(block, { spacingMeters: 24, snapMeters, turns: [0, tilt] })
  let best: { chord: Chord; cost: number } | undefined
  for (const chord of chords) {
    const cost = costOfChord(chord, size) + random.between(0, 0.25)
    if (cost < (best?.cost ?? worstCost)) best = { chord, cost }
  }
  return best?.chord
}

/** A cut that costs more is worse than an oversized lot. */
const worstCost = 5

function costOfChord({ parts, endSine }: Chord, size: number): number {
  const areas = parts.map((part) => ringArea(part.ring))
  const [smaller, larger] = [Math.min(...areas), Math.max(...areas)]
  const shapes = parts.map((part) => raggedness(part.ring))
  const shapeCost = Math.max(...shapes) + 0.4 * Math.min(...shapes)
  const balanceCost = 0.2 * Math.log(larger / Math.max(1, smaller))
  const sizeCost = smaller < 0.55 * size ? 4 : 0
  const frontageCost = parts.filter((part) => frontageMeters(part) < minFrontageMeters).length * 4
  return shapeCost + balanceCost + sizeCost + frontageCost + 1.2 * (1 - endSine)
}
