import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { FilledField } from '../mapping/map-columns.ts'

/** Where a row is; and of a row whose coordinates are no degrees, what they say. */
export type SurveyedPlace = { rowNumber: number; lng: number; lat: number }

export type UnclearDates = { column: string; examples: string[] }

/** A summary of all rows, by which the file as a whole is judged. */
export type Survey = {
  rows: number
  /** Rows that come in without an id, whether other rows have one, and the column that looks like the id. */
  withoutId: { rows: number; othersHaveId: boolean; likelyColumn: string | null }
  /** Of the rows that were understood, as evenly over the file as there is room for. */
  places: SurveyedPlace[]
  /** The number of rows that `places` is a sample of. */
  placedCount: number
  /** The rows that lie furthest west, south, east and north. */
  outermost: SurveyedPlace[]
  /** How many rows were refused because their coordinates are no degrees, and some of them. */
  misplacedCount: number
  misplaced: SurveyedPlace[]
  /** The column that a person named for the area, how often what it says is the area of the shape, and areas without shape. */
  areaColumn: string | null
  areaRatios: number[]
  areasWithoutGeometry: number[]
  /** Which column filled which field. */
  filled: FilledField[]
  /** Columns that fill no field. */
  kept: string[]
  /** Columns of dates that could be day first or month first. */
  unclearDates: UnclearDates[]
  /** Columns of the rows that are of our own export of this map; null where there are none. */
  ownColumns: string[] | null
  /** By the field: the rows whose value was not understood, as bytes of a RowSet. */
  unreadRows: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  /** Fields that the format of such an export cannot hold. */
  lostByFormat: string[]
}

/** The size of a sample. When there are more, every second one is dropped. */
const mostSampled = 8_192

export class Surveyor {
  private readonly places = new Sample<SurveyedPlace>()
  private readonly misplaced = new Sample<SurveyedPlace>()
  private readonly areas = new Sample<{ said: number; geometry: Geometry }>()
  private areaColumn: string | null = null
  private outermost: SurveyedPlace[] = []

  notePlace(place: SurveyedPlace) {
    this.places.add(place)
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
    if (acres > 0) this.areas.add({ said: acres, geometry })
  }

  finish(
    rows: number,
    columns: Pick<
      Survey,
      'filled' | 'kept' | 'unreadRows' | 'ownColumns' | 'lostByFormat' | 'unclearDates' | 'withoutId'
    >,
  ): Survey {
    const areas = this.areas.items.map(({ said, geometry }) => ({ said, measured: measureAcres(geometry) }))
    return {
      rows,
      places: this.places.items,
      placedCount: this.places.count,
      outermost: this.outermost,
      misplacedCount: this.misplaced.count,
      misplaced: this.misplaced.items,
      areaColumn: this.areaColumn,
      areaRatios: areas.flatMap(({ said, measured }) => (measured ? [said / measured] : [])),
      areasWithoutGeometry: areas.flatMap(({ said, measured }) => (measured === null ? [said] : [])),
      ...columns,
    }
  }
}

/** Evenly over all that is added, however much that is. */
class Sample<Item> {
  items: Item[] = []
  count = 0
  private step = 1

  add(item: Item) {
    if (this.count++ % this.step !== 0) return
    this.items.push(item)
    if (this.items.length < mostSampled) return
    this.items = this.items.filter((_, index) => index % 2 === 0)
    this.step *= 2
  }
}
