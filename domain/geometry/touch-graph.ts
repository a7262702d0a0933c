import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Segment } from './segments.ts'

const keyOf = (at: Position) => `${at[0]},${at[1]}`

export class TouchGraph {
  private readonly parents = new Map<string, string>()
  private readonly edges = new Set<string>()
  private readonly points = new Map<number, Set<string>>()

  /** Returns true if the touch closes a loop of rings of one polygon, which cuts its interior in two. */
  add(first: number, second: number, at: Position, isOnePolygon: boolean): boolean {
    for (const ring of [first, second]) {
      const points = this.points.get(ring) ?? new Set()
      this.points.set(ring, points.add(keyOf(at)))
    }
    if (!isOnePolygon) return false
    const closesLoop = [first, second].map((ring) => this.join(`ring ${ring}`, keyOf(at)))
    return closesLoop.includes(true)
  }

  /** One point per stretch between touches, on no other ring. */
  chainStarts(ring: number, segments: readonly Segment<Position>[]): Position[] {
    const points = this.points.get(ring)
    const isTouch = (at: Position) => points?.has(keyOf(at)) ?? false
    const starts: Position[] = []
    for (const { from, to } of segments) {
      if (isTouch(from)) starts.push(isTouch(to) ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : to)
    }
    const free = segments.find(({ from }) => !isTouch(from))
    return starts.length === 0 && free ? [free.from] : starts
  }

  private join(ring: string, point: string): boolean {
    const edge = `${ring} ${point}`
    if (this.edges.has(edge)) return false
    this.edges.add(edge)
    const [a, b] = [this.root(ring), this.root(point)]
    this.parents.set(a, b)
    return a === b
  }

  private root(node: string): string {
    let root = node
    for (let parent = this.parents.get(root); parent && parent !== root; parent = this.parents.get(root))
      root = parent
    this.parents.set(node, root)
    return root
  }
}
