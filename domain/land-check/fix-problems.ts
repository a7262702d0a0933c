import type { ShapesInBox } from '#domain/features/shapes.schema.ts'
import { combineEdits, type ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Box } from '#domain/geometry/segments.ts'
import { widened } from './border-network.ts'
import { findProblemsInWindow, wholeProblem } from './find-land-problems.ts'
import { proposeFix } from './fix-land-problem.ts'
import type { FoundProblem } from './land-check.schema.ts'

export type FixOptions = {
  /** All shapes that meet the box; null if there are too many. */
  load(box: Box): Promise<ShapesInBox['items'] | null>
  /** Changes that are not saved yet: problems are fixed in the shapes after them. */
  start?: ShapeEdit
  /** Keeps the common land of an overlap. */
  keeper?: string | undefined
  /** Of changed shapes. Problems that would exceed it are left. */
  maxChanges: number
  /** Awaited between problems. Throws to stop. */
  pause(): Promise<void>
}

export type Fixes = {
  edit: ShapeEdit
  /** By the ids of changed shapes. */
  versions: Record<string, number>
  /** Keys of problems. */
  fixed: string[]
  /** Problems that no longer exist, maybe because another fix removed them. */
  gone: number
  /** Reasons, by the keys of the problems. */
  refused: Map<string, string>
  left: number
}

/** Fixes problems of an earlier check in turn, each in the shapes after the fixes before. */
export async function fixProblems(
  problems: readonly Pick<FoundProblem, 'key' | 'box'>[],
  { load, start = new Map(), keeper, maxChanges, pause }: FixOptions,
): Promise<Fixes> {
  const graph = new ShapeGraph()
  graph.apply(start)
  const versions = new Map<string, number>()
  const loaded: Box[] = []
  const fixes: Fixes = { edit: new Map(), versions: {}, fixed: [], gone: 0, refused: new Map(), left: 0 }

  async function loadAround(box: Box): Promise<boolean> {
    const needed = widened(box, needMargin)
    if (loaded.some((one) => contains(one, needed))) return true
    for (const wanted of [widened(box, loadMargin), needed]) {
      const shapes = await load(wanted)
      if (!shapes) continue
      const news = shapes.filter(({ id }) => !graph.get(id) && !start.has(id))
      for (const { id, version } of news) versions.set(id, version)
      graph.apply(
        new Map(news.map(({ id, name, geometry }) => [id, { before: null, after: { id, name, geometry } }])),
      )
      loaded.push(wanted)
      return true
    }
    return false
  }

  for (const [index, { key, box }] of problems.entries()) {
    await pause()
    const place = box as unknown as Box
    if (!(await loadAround(place))) {
      fixes.refused.set(key, 'Too many parcels meet here. Edit the border by hand.')
      continue
    }
    const problem = findProblem(graph, key, place)
    if (!problem) {
      fixes.gone++
      continue
    }
    const proposal = proposeFix(graph, problem, keeper)
    if ('refused' in proposal) {
      fixes.refused.set(key, proposal.refused)
      continue
    }
    const edit = combineEdits(fixes.edit, proposal.edit)
    if (new Set([...start.keys(), ...edit.keys()]).size > maxChanges) {
      fixes.left = problems.length - index
      break
    }
    graph.apply(proposal.edit)
    fixes.edit = edit
    fixes.fixed.push(key)
  }
  for (const id of fixes.edit.keys()) {
    const version = versions.get(id)
    if (version !== undefined) fixes.versions[id] = version
  }
  return fixes
}

/** The problem of an earlier check, as it is now. */
function findProblem(graph: ShapeGraph, key: string, box: Box) {
  const window = widened(box, needMargin / 2)
  const shapes = [...graph.idsInBox(window)].map((id) => graph.shape(id))
  const problem = findProblemsInWindow(shapes, window).find((one) => one.key === key)
  return problem && wholeProblem(graph, problem)
}

/** Degrees: 20 m around a problem, where a fix may change neighbors; more is loaded at once. */
const [needMargin, loadMargin] = [2e-4, 2e-3]

const contains = (one: Box, other: Box) =>
  one[0] <= other[0] && one[1] <= other[1] && one[2] >= other[2] && one[3] >= other[3]
