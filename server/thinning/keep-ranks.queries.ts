import type { RankedFeature, Ranks } from '#domain/thinning/rank-features.ts'
import type { WriteTransaction } from '../database/database.ts'
import { adjustForArrival, adjustForDeparture, candidateOf, type RankChange } from './adjust-ranks.ts'
import {
  type CandidateRow,
  findCandidates,
  findRepresentativesAround,
  type Group,
  groupsOf,
  rankColumns,
} from './find-candidates.queries.ts'

// Keeps ranks exact with about 18 lookups per group, whatever its size.

export async function makeRoomFor(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature,
): Promise<Ranks> {
  const representatives = await findRepresentativesAround(transaction, mapId, feature)
  const ranks: Ranks = { min_zoom: 0, type_min_zoom: null }
  const changes = new Map<string, Partial<Ranks>>()
  for (const group of groupsOf(feature)) {
    const { zoom, demoted } = adjustForArrival(candidateOf(feature), inGroup(representatives, group))
    ranks[rankColumns[group]] = zoom
    addChanges(changes, group, demoted)
  }
  await store(transaction, mapId, changes)
  return ranks
}

export async function closeRanksAfter(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature & Ranks,
) {
  const zooms = { all: feature.min_zoom, type: feature.type_min_zoom }
  const candidates = await findCandidates(transaction, mapId, feature, zooms)
  const changes = new Map<string, Partial<Ranks>>()
  for (const group of groupsOf(feature)) {
    const promoted = adjustForDeparture(zooms[group] as number, feature.morton, inGroup(candidates, group))
    addChanges(changes, group, promoted)
  }
  await store(transaction, mapId, changes)
}

function inGroup(candidates: readonly CandidateRow[], group: Group) {
  return candidates
    .filter((candidate) => candidate.group === group)
    .map((candidate) => ({ ...candidateOf(candidate), zoom: candidate.zoom }))
}

function addChanges(changes: Map<string, Partial<Ranks>>, group: Group, changed: readonly RankChange[]) {
  for (const { id, zoom } of changed) changes.set(id, { ...changes.get(id), [rankColumns[group]]: zoom })
}

async function store(
  transaction: WriteTransaction,
  mapId: string,
  changes: ReadonlyMap<string, Partial<Ranks>>,
) {
  for (const [id, ranks] of changes)
    await transaction
      .updateTable('features')
      .set(ranks)
      .where('map_id', '=', mapId)
      .where('id', '=', id)
      .execute()
}
