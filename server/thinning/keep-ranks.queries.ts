import type { RankedFeature, Ranks } from '#domain/thinning/rank-features.ts'
import type { WriteTransaction } from '../database/database.ts'
import {
  findHeirs,
  findLeadersAround,
  type Group,
  groupsOf,
  type Rival,
  rankColumns,
} from './find-rivals.queries.ts'
import { placeOf, type Settled, settleArrival, settleDeparture } from './settle-ranks.ts'

// Keeps the ranks of a map exact while single features come and go: about 18 look-ups a group, whatever its size.

/** Call it before the feature is inserted; returns the ranks that it comes in with. */
export async function makeRoomFor(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature,
): Promise<Ranks> {
  const leaders = await findLeadersAround(transaction, mapId, feature)
  const ranks: Ranks = { leader_zoom: 0, type_leader_zoom: null }
  const changes = new Map<string, Partial<Ranks>>()
  for (const group of groupsOf(feature)) {
    const { zoom, demoted } = settleArrival(placeOf(feature), ofGroup(leaders, group))
    ranks[rankColumns[group]] = zoom
    note(changes, group, demoted)
  }
  await store(transaction, mapId, changes)
  return ranks
}

/** Call it before the feature is deleted. */
export async function closeRanksAfter(
  transaction: WriteTransaction,
  mapId: string,
  feature: RankedFeature & Ranks,
) {
  const zooms = { all: feature.leader_zoom, type: feature.type_leader_zoom }
  const heirs = await findHeirs(transaction, mapId, feature, zooms)
  const changes = new Map<string, Partial<Ranks>>()
  for (const group of groupsOf(feature)) {
    const promoted = settleDeparture(zooms[group] as number, feature.morton, ofGroup(heirs, group))
    note(changes, group, promoted)
  }
  await store(transaction, mapId, changes)
}

function ofGroup(rivals: readonly Rival[], group: Group) {
  return rivals
    .filter((rival) => rival.group === group)
    .map((rival) => ({ ...placeOf(rival), zoom: rival.zoom }))
}

function note(changes: Map<string, Partial<Ranks>>, group: Group, settled: readonly Settled[]) {
  for (const { id, zoom } of settled) changes.set(id, { ...changes.get(id), [rankColumns[group]]: zoom })
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
