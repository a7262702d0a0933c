import type { DatabaseSync } from 'node:sqlite'

// Builds the R*Tree of all features at once, and writes its nodes into SQLite's tables of the tree. Row by row takes
// eight times as long. The format of nodes: https://www.sqlite.org/rtree.html

/** Three dimensions of two 32-bit floats each, after the key of 64 bits. */
const [coordinates, cellBytes, headBytes] = [6, 32, 4]
/** SQLite's maximum. Nodes of this size fit into pages of 4,096 bytes. */
const cellsPerNode = 51
const nodeBytes = headBytes + cellsPerNode * cellBytes

/** The values of `features_placed`. */
const placed = `
  select feature_key, west, east, south, north, map_number * 32 + min(size_zoom, 31), morton
  from features inner join map_numbers on map_numbers.map_id = features.map_id
  order by feature_key`

/** Within a transaction. Falls back to SQLite's own, slow way if it does not confirm the tree. */
export function packPlaces(connection: DatabaseSync): 'packed' | 'row by row' {
  connection.exec('savepoint packing')
  try {
    connection.enableDefensive(false)
    try {
      writeTree(connection)
    } finally {
      connection.enableDefensive(true)
    }
    const checked = connection.prepare(`select rtreecheck('feature_extents') as result`).get()
    if (checked?.result !== 'ok') throw new Error(`SQLite says of the packed tree: ${checked?.result}`)
    connection.exec('release packing')
    return 'packed'
  } catch (error) {
    if (!connection.isTransaction) throw error
    connection.exec('rollback to packing; release packing')
    connection.exec(`delete from feature_extents; insert into feature_extents ${inOrder}`)
    return 'row by row'
  }
}

const inOrder = `
  select feature_key, west, east, south, north, layer, layer from (
    select feature_key, west, east, south, north, map_number * 32 + min(size_zoom, 31) as layer, morton
    from features inner join map_numbers on map_numbers.map_id = features.map_id
  ) order by layer, morton`

function writeTree(connection: DatabaseSync) {
  const { keys, cells, order } = readPlaces(connection)
  const insertNode = connection.prepare('insert into feature_extents_node (nodeno, data) values (?, ?)')
  const insertRow = connection.prepare('insert into feature_extents_rowid (rowid, nodeno) values (?, ?)')
  const insertParent = connection.prepare(
    'insert into feature_extents_parent (nodeno, parentnode) values (?, ?)',
  )
  connection.exec('delete from feature_extents_node')
  connection.exec('delete from feature_extents_rowid')
  connection.exec('delete from feature_extents_parent')

  // Leaves first, in the given order; each level refers to the nodes of the one below. The root is node 1.
  let level: Level = { keys, cells, order }
  let next = 2
  for (let depth = 0; ; depth++) {
    const count = Math.max(1, Math.ceil(level.order.length / cellsPerNode))
    const isRoot = count === 1
    const parents = emptyLevel(count)
    const nodeOf = new Float64Array(level.order.length)
    for (let index = 0; index < count; index++) {
      const node = isRoot ? 1 : next++
      const members = level.order.subarray(index * cellsPerNode, (index + 1) * cellsPerNode)
      insertNode.run(node, nodeOfCells(level, members, isRoot ? depth : 0))
      for (const member of members) {
        nodeOf[member] = node
        widen(parents.cells, index, level.cells, member)
      }
      parents.keys[index] = node
    }
    const insert = depth === 0 ? insertRow : insertParent
    // In the order of keys, which appends.
    for (let member = 0; member < nodeOf.length; member++)
      insert.run(level.keys[member] as number, nodeOf[member] as number)
    if (isRoot) return
    level = parents
  }
}

/** Six coordinates per cell. `order` lists the cells as they are packed. */
type Level = { keys: Float64Array; cells: Float32Array; order: Uint32Array }

function emptyLevel(count: number): Level {
  const cells = new Float32Array(count * coordinates)
  for (let at = 0; at < cells.length; at++) cells[at] = at % 2 === 0 ? Infinity : -Infinity
  return { keys: new Float64Array(count), cells, order: Uint32Array.from({ length: count }, (_, at) => at) }
}

function readPlaces(connection: DatabaseSync): Level {
  const { count } = connection.prepare('select count(*) as count from features').get() as { count: number }
  const level: Level = {
    keys: new Float64Array(count),
    cells: new Float32Array(count * coordinates),
    order: Uint32Array.from({ length: count }, (_, at) => at),
  }
  const layers = new Float64Array(count)
  const mortons = new Float64Array(count)
  const statement = connection.prepare(placed)
  statement.setReturnArrays(true)
  let at = 0
  for (const row of statement.iterate() as Iterable<unknown>) {
    const [key, west, east, south, north, layer, morton] = row as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    level.keys[at] = key
    level.cells.set(
      [floatBelow(west), floatAbove(east), floatBelow(south), floatAbove(north), layer, layer],
      at * coordinates,
    )
    layers[at] = layer
    mortons[at] = morton
    at++
  }
  if (at !== count) throw new Error(`${count - at} features are on no map.`)
  // Nodes of one layer each: a search of few layers reads few nodes.
  level.order.sort(
    (one, other) =>
      (layers[one] as number) - (layers[other] as number) ||
      (mortons[one] as number) - (mortons[other] as number),
  )
  return level
}

function nodeOfCells({ keys, cells }: Level, members: Uint32Array, depth: number): Uint8Array {
  const bytes = new Uint8Array(nodeBytes)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, depth)
  view.setUint16(2, members.length)
  let at = headBytes
  for (const member of members) {
    const key = keys[member] as number
    view.setUint32(at, Math.floor(key / 2 ** 32))
    view.setUint32(at + 4, key % 2 ** 32)
    for (let place = 0; place < coordinates; place++)
      view.setFloat32(at + 8 + 4 * place, cells[member * coordinates + place] as number)
    at += cellBytes
  }
  return bytes
}

/** Computed from the rounded values: SQLite compares those. */
function widen(parents: Float32Array, parent: number, cells: Float32Array, cell: number) {
  for (let place = 0; place < coordinates; place++) {
    const at = parent * coordinates + place
    const [before, value] = [parents[at] as number, cells[cell * coordinates + place] as number]
    parents[at] = place % 2 === 0 ? Math.min(before, value) : Math.max(before, value)
  }
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The largest 32-bit float that is not above the value. */
export function floatBelow(value: number): number {
  float[0] = value
  if ((float[0] as number) > value) step(-1)
  return float[0] as number
}

export function floatAbove(value: number): number {
  return -floatBelow(-value)
}

/** To the next 32-bit float up or down. */
function step(by: 1 | -1) {
  if (float[0] === 0) bits[0] = by > 0 ? 1 : -(2 ** 31) + 1
  else bits[0] = (bits[0] as number) + ((float[0] as number) > 0 ? by : -by)
}
