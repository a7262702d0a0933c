import { measureCachedTiles } from './cached-tiles.ts'
import { measureCapacity } from './capacity.ts'
import { measureClients } from './clients.ts'
import { measureColdTiles } from './cold-tiles.ts'
import { measureExports } from './exports.ts'
import { measureFairness } from './fairness.ts'
import { measureFeatureTable } from './feature-table.ts'
import { measureFirstFrame } from './first-frame.ts'
import { measureGeodatabase } from './geodatabase.ts'
import { measureMemory } from './idle-memory.ts'
import { measureImport } from './import-speed.ts'
import { measureInteractions } from './interactions.ts'
import { measureLongTasks } from './long-tasks.ts'
import { measureMillionFrames } from './million-frames.ts'
import { measureOgcItems } from './ogc-items.ts'
import { measurePageWeight } from './page-weight.ts'
import { measurePeers } from './peers.ts'
import { measureRecords } from './records.ts'
import { measureRestore } from './restore-speed.ts'
import type { Row } from './row.ts'
import { measureSearchingCrowd } from './searching-crowd.ts'
import { measureSecondStart } from './second-start.ts'
import { measureServers } from './servers.ts'
import { measureShapes } from './shapes.ts'
import { measureTenMillion } from './ten-million.ts'
import { measureTileBudget } from './tile-budget.ts'
import { measureTileMemory } from './tile-memory.ts'
import { measureToggles } from './toggles.ts'

export type Measurement = {
  name: string
  measure(): Promise<Row[]>
  /** Its limits are stated for a million features. */
  isOfMany?: boolean
  /** Only runs if it is named. */
  isByHand?: boolean
}

const measurements: Measurement[] = [
  { name: 'page-weight', measure: measurePageWeight },
  { name: 'second-start', measure: measureSecondStart },
  { name: 'memory', measure: measureMemory },
  { name: 'first-frame', measure: measureFirstFrame },
  { name: 'clients', measure: measureClients },
  { name: 'feature-table', measure: measureFeatureTable },
  { name: 'records', measure: measureRecords },
  { name: 'shapes', measure: measureShapes },
  { name: 'geodatabase', measure: measureGeodatabase },
  { name: 'servers', measure: measureServers },
  { name: 'fairness', measure: measureFairness },
  { name: 'tile-budget', measure: measureTileBudget, isOfMany: true },
  { name: 'cold-tiles', measure: measureColdTiles, isOfMany: true },
  { name: 'cached-tiles', measure: measureCachedTiles, isOfMany: true },
  { name: 'tile-memory', measure: measureTileMemory, isOfMany: true },
  { name: 'searching-crowd', measure: measureSearchingCrowd, isOfMany: true },
  { name: 'million-frames', measure: measureMillionFrames, isOfMany: true },
  { name: 'long-tasks', measure: measureLongTasks, isOfMany: true },
  { name: 'interactions', measure: measureInteractions, isOfMany: true },
  { name: 'toggles', measure: measureToggles, isOfMany: true },
  { name: 'peers', measure: measurePeers, isOfMany: true },
  { name: 'import', measure: measureImport, isOfMany: true },
  { name: 'restore', measure: measureRestore, isOfMany: true },
  { name: 'exports', measure: measureExports, isOfMany: true },
  { name: 'ogc-items', measure: measureOgcItems, isOfMany: true },
  { name: 'capacity', measure: measureCapacity, isOfMany: true },
  { name: 'ten-million', measure: measureTenMillion, isOfMany: true, isByHand: true },
]

export function selectMeasurements(names: readonly string[]): Measurement[] {
  const unknown = names.filter((name) => !measurements.some((measurement) => measurement.name === name))
  if (unknown.length > 0) {
    const available = measurements.map(({ name }) => name).join(', ')
    throw new Error(`There is no measurement ${unknown.join(', ')}. There are ${available}.`)
  }
  return measurements.filter(({ name, isByHand }) =>
    names.length > 0 ? names.includes(name) : isByHand !== true,
  )
}
