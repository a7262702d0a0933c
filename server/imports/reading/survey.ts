import { hash } from 'node:crypto'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import type { FilledField } from '../mapping/map-columns.ts'
import { isBlank } from '../mapping/read-values.ts'

export type SurveyedPlace = { rowNumber: number; lng: number; lat: number }

export type UnclearDates = { column: string; examples: string[] }

export type SurveyedShapes = {
  places: SurveyedPlace[]
  placedCount: number
  outermost: SurveyedPlace[]
  misplacedCount: number
  misplaced: SurveyedPlace[]
  /** The column chosen for the area, its ratios to the areas of the shapes, and areas without a shape. */
  areaColumn: string | null
  areaRatios: number[]
  areasWithoutGeometry: number[]
}

export type Survey = SurveyedShapes & {
  rows: number
  withoutId: { rows: number; othersHaveId: boolean; likelyColumn: string | null }
  filled: FilledField[]
  kept: string[]
  unclearDates: UnclearDates[]
  ownColumns: string[] | null
  unreadRows: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  lostByFormat: string[]
}

/** Above this size, every second item is dropped. */
const maxSampled = 8_192

export class Surveyor {
  private readonly places = new Sample<SurveyedPlace>()
  private readonly misplaced = new Sample<SurveyedPlace>()
  private readonly areas = new Sample<{ acres: number; geometry: Geometry }>()
  private areaColumn: string | null = null
  private outermost: SurveyedPlace[] = []

  notePlace(place: SurveyedPlace) {
    this.places.add(place)
    this.extend(place)
  }

  private extend(place: SurveyedPlace) {
    const [west = place, south = place, east = place, north = place] = this.outermost
    if (this.outermost.length > 0) {
      const { lng, lat } = place
      if (lng >= west.lng && lng <= east.lng && lat >= south.lat && lat <= north.lat) return
    }
    this.outermost = [
      place.lng < west.lng ? place : west,
      place.lat < south.lat ? place : south,
      place.lng > east.lng ? place : east,
      place.lat > north.lat ? place : north,
    ]
  }

  noteMisplaced(place: SurveyedPlace) {
    this.misplaced.add(place)
  }

  noteArea({ column, acres }: { column: string; acres: number }, geometry: Geometry) {
    this.areaColumn = column
    if (acres > 0) this.areas.add({ acres, geometry })
  }

  /** `others` are results for other rows of the file. */
  finish(others: readonly SurveyedShapes[] = []): SurveyedShapes {
    const areas = this.areas.items.map(({ acres, geometry }) => ({ acres, measured: measureAcres(geometry) }))
    const own: SurveyedShapes = {
      places: this.places.items,
      placedCount: this.places.count,
      outermost: this.outermost,
      misplacedCount: this.misplaced.count,
      misplaced: this.misplaced.items,
      areaColumn: this.areaColumn,
      areaRatios: areas.flatMap(({ acres, measured }) => (measured ? [acres / measured] : [])),
      areasWithoutGeometry: areas.flatMap(({ acres, measured }) => (measured === null ? [acres] : [])),
    }
    if (others.length === 0) return own
    const all = [own, ...others]
    const byRow = (places: SurveyedPlace[]) => places.sort((one, other) => one.rowNumber - other.rowNumber)
    this.outermost = []
    for (const place of byRow(all.flatMap(({ outermost }) => outermost))) this.extend(place)
    return {
      places: byRow(all.flatMap(({ places }) => places)),
      placedCount: sumOf(all, ({ placedCount }) => placedCount),
      outermost: this.outermost,
      misplacedCount: sumOf(all, ({ misplacedCount }) => misplacedCount),
      misplaced: byRow(all.flatMap(({ misplaced }) => misplaced)),
      areaColumn: all.find(({ areaColumn }) => areaColumn !== null)?.areaColumn ?? null,
      areaRatios: all.flatMap(({ areaRatios }) => areaRatios),
      areasWithoutGeometry: all.flatMap(({ areasWithoutGeometry }) => areasWithoutGeometry),
    }
  }
}

const sumOf = <Item>(items: readonly Item[], countOf: (item: Item) => number) =>
  items.reduce((sum, item) => sum + countOf(item), 0)

class Sample<Item> {
  items: Item[] = []
  count = 0
  private step = 1

  add(item: Item) {
    if (this.count++ % this.step !== 0) return
    this.items.push(item)
    if (this.items.length < maxSampled) return
    this.items = this.items.filter((_, index) => index % 2 === 0)
    this.step *= 2
  }
}

/** Each column costs memory for every row. */
const maxExamined = 5

/** Hashes of the values of columns that may have ids: each is different. */
export type FoundIds = { rows: number; othersHaveId: boolean; values: Map<string, BigUint64Array> }

export class IdColumns {
  othersHaveId = false
  private rows = 0
  private readonly values = new Map<string, FirstRows>()

  note({ properties, rowNumber }: SourceRecord) {
    this.rows++
    if (this.rows === 1)
      for (const [name] of properties.filter(([name]) => isNamedLikeId(name)).slice(0, maxExamined))
        this.values.set(name, new FirstRows())
    if (this.values.size === 0) return
    for (const [name, value] of properties) {
      const firstRows = this.values.get(name)
      if (!firstRows) continue
      const isId = (typeof value === 'string' || typeof value === 'number') && !isBlank(value)
      const digits = isId ? hash('sha256', String(value).trim(), 'hex').slice(0, 16) : undefined
      if (digits === undefined || firstRows.claim(idOfDigits(digits), rowNumber) !== undefined)
        this.values.delete(name)
    }
  }

  get found(): FoundIds {
    const { rows, othersHaveId, values } = this
    return { rows, othersHaveId, values: new Map([...values].map(([name, { claimed }]) => [name, claimed])) }
  }

  absorb({ rows, othersHaveId, values }: FoundIds) {
    this.othersHaveId ||= othersHaveId
    if (rows === 0) return
    if (this.rows === 0) for (const name of values.keys()) this.values.set(name, new FirstRows())
    this.rows += rows
    for (const [name, firstRows] of this.values)
      if (!values.get(name)?.every((id) => firstRows.claim(id, 1) === undefined)) this.values.delete(name)
  }

  get result(): Survey['withoutId'] {
    const { rows, othersHaveId } = this
    const found = [...this.values].find(([, { size }]) => size === rows)
    return { rows, othersHaveId, likelyColumn: (!othersHaveId && found?.[0]) || null }
  }
}

const idWords = new Set(['id', 'no', 'nr', 'nbr', 'num', 'number', 'key', 'guid', 'uuid'])
const otherThings =
  /phone|mobile|fax|house|street|addr|situs|owner|parent|zip|postal|unit|apt|year|date|block|page|book/i
const joined =
  /^(parcel|lot|asset|pole|feature|record|object|global|unique|incident|case|ticket|property|pin|tax|item|tag|serial)?(id|no|nr|nbr|num|number)$/
const shortNames = new Set(['apn', 'pin', 'ain', 'pid', 'fid', 'gid', 'oid', 'guid', 'uuid'])

export function isNamedLikeId(column: string): boolean {
  if (otherThings.test(column)) return false
  const words = column
    .replaceAll('#', ' no ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return idWords.has(words.at(-1) ?? '') || shortNames.has(words.join('')) || joined.test(words.join(''))
}

export const idOfDigits = (hexDigits: string): bigint => BigInt(`0x${hexDigits}`)

/** By ids of 64 bits, in about 30 bytes an id: a file may have millions. Open addressing; an id is a hash. */
export class FirstRows {
  private ids = new BigUint64Array(1024)
  /** 0 is a free slot: rows count from 1. */
  private rows = new Uint32Array(1024)
  size = 0

  get claimed(): BigUint64Array {
    return this.ids.filter((_, slot) => this.rows[slot])
  }

  /** Undefined if this is the first row of the id. */
  claim(id: bigint, row: number): number | undefined {
    if (this.size * 3 > this.ids.length * 2) this.grow()
    const slot = this.slotOf(id)
    const first = this.rows[slot]
    if (first) return first
    this.ids[slot] = id
    this.rows[slot] = row
    this.size++
    return undefined
  }

  private slotOf(id: bigint): number {
    const mask = this.ids.length - 1
    let slot = Number(id & BigInt(mask))
    while (this.rows[slot] && this.ids[slot] !== id) slot = (slot + 1) & mask
    return slot
  }

  private grow() {
    const { ids, rows } = this
    this.ids = new BigUint64Array(ids.length * 2)
    this.rows = new Uint32Array(rows.length * 2)
    for (const [slot, row] of rows.entries()) {
      if (!row) continue
      const id = ids[slot] as bigint
      const newSlot = this.slotOf(id)
      this.ids[newSlot] = id
      this.rows[newSlot] = row
    }
  }
}
