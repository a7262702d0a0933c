// Frozen copy of the ranking when migration 004 was released. Never change it.

export type Ranked = {
  id: string
  kind: string
  shape: string
  type: string | null
  date: number | null
  size: number
  morton: number
}

const cellBits = 6
const maxTileZoom = 17
const deepestCell = maxTileZoom + cellBits
const mortonBits = 26
const neverALeader = 99

/** Returns the first zoom at which each feature leads its cell within its group; -1 without a group. */
export function rankIn(features: readonly Ranked[], groupOf: (feature: Ranked) => string | null): Int8Array {
  const zooms = new Int8Array(features.length).fill(-1)
  const contests = new Map<string, Contest>()
  const order = Uint32Array.from(features.keys())
  order.sort((one, other) => (features[one] as Ranked).morton - (features[other] as Ranked).morton)
  for (const index of order) {
    const feature = features[index] as Ranked
    const group = groupOf(feature)
    if (group === null) continue
    const contest = contests.get(group) ?? new Contest(zooms)
    contests.set(group, contest)
    const lead = feature.kind === 'incident' ? (feature.date ?? Number.POSITIVE_INFINITY) : feature.size
    contest.add({ id: feature.id, morton: feature.morton, lead, index })
  }
  for (const contest of contests.values()) contest.finish()
  return zooms
}

type Entry = { id: string; morton: number; lead: number; index: number }

class Contest {
  private readonly cells: { depth: number; first: Entry }[] = []
  private latest: Entry | undefined
  private readonly zooms: Int8Array

  constructor(zooms: Int8Array) {
    this.zooms = zooms
  }

  add(entry: Entry) {
    if (this.latest) {
      const depth = Math.min(deepestCell, sharedDepth(this.latest.morton, entry.morton))
      const first = this.close(this.latest, depth)
      const cell = this.cells.at(-1)
      if (cell?.depth === depth) cell.first = this.decide(cell.first, first, depth)
      else this.cells.push({ depth, first })
    }
    this.latest = entry
  }

  finish() {
    if (this.latest) this.zooms[this.close(this.latest, -1).index] = 0
  }

  private close(latest: Entry, depth: number): Entry {
    let first = latest
    for (let cell = this.cells.at(-1); cell && cell.depth > depth; cell = this.cells.at(-1)) {
      this.cells.pop()
      first = this.decide(cell.first, first, cell.depth)
    }
    return first
  }

  private decide(one: Entry, other: Entry, depth: number): Entry {
    const isOneFirst = one.lead === other.lead ? one.id < other.id : one.lead > other.lead
    const [first, second] = isOneFirst ? [one, other] : [other, one]
    const zoom = depth + 1 - cellBits
    this.zooms[second.index] = zoom > maxTileZoom ? neverALeader : Math.max(0, zoom)
    return first
  }
}

function sharedDepth(code: number, other: number): number {
  const high = Math.floor(code / 2 ** mortonBits) ^ Math.floor(other / 2 ** mortonBits)
  if (high !== 0) return (Math.clz32(high) - (32 - mortonBits)) >> 1
  const low = (code % 2 ** mortonBits) ^ (other % 2 ** mortonBits)
  return low === 0 ? mortonBits : (mortonBits / 2 + (Math.clz32(low) - (32 - mortonBits)) / 2) | 0
}
