import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { FilledField } from '../mapping/map-columns.ts'

export type SurveyedPlace = { rowNumber: number; lng: number; lat: number }

export type UnclearDates = { column: string; examples: string[] }

export type Survey = {
  rows: number
  withoutId: { rows: number; othersHaveId: boolean; likelyColumn: string | null }
  places: SurveyedPlace[]
  placedCount: number
  outermost: SurveyedPlace[]
  misplacedCount: number
  misplaced: SurveyedPlace[]
  /** The column chosen for the area, its ratios to the areas of the shapes, and areas without a shape. */
  areaColumn: string | null
  areaRatios: number[]
  areasWithoutGeometry: number[]
  filled: FilledField[]
  kept: string[]
  unclearDates: UnclearDates[]
  ownColumns: string[] | null
  unreadRows: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  lostByFormat: string[]
}

/** Above this size, every second item is dropped. */
const mostSampled = 8_192

export class Surveyor {
  private readonly places = new Sample<SurveyedPlace>()
  private readonly misplaced = new Sample<SurveyedPlace>()
  private readonly areas = new Sample<{ acres: number; geometry: Geometry }>()
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
    if (acres > 0) this.areas.add({ acres, geometry })
  }

  finish(
    rows: number,
    columns: Pick<
      Survey,
      'filled' | 'kept' | 'unreadRows' | 'ownColumns' | 'lostByFormat' | 'unclearDates' | 'withoutId'
    >,
  ): Survey {
    const areas = this.areas.items.map(({ acres, geometry }) => ({ acres, measured: measureAcres(geometry) }))
    return {
      rows,
      places: this.places.items,
      placedCount: this.places.count,
      outermost: this.outermost,
      misplacedCount: this.misplaced.count,
      misplaced: this.misplaced.items,
      areaColumn: this.areaColumn,
      areaRatios: areas.flatMap(({ acres, measured }) => (measured ? [acres / measured] : [])),
      areasWithoutGeometry: areas.flatMap(({ acres, measured }) => (measured === null ? [acres] : [])),
      ...columns,
    }
  }
}

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
