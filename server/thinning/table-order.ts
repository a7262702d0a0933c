import type { FeatureColumns } from '../database/tables.ts'

/**
 * The order of inserting many features. Neighbors visible from the same zoom become neighbors in the table
 * and its indexes: these fill page by page, and a tile reads few pages.
 */
export class TableOrder {
  private readonly numbers: Uint32Array<ArrayBuffer>
  private readonly sizeZooms: Uint8Array
  private readonly mortons: Float64Array
  private count = 0

  constructor(capacity: number) {
    this.numbers = new Uint32Array(capacity)
    this.sizeZooms = new Uint8Array(capacity)
    this.mortons = new Float64Array(capacity)
  }

  add(number: number, { size_zoom, morton }: Pick<FeatureColumns, 'size_zoom' | 'morton'>) {
    this.numbers[this.count++] = number
    this.sizeZooms[number] = size_zoom
    this.mortons[number] = morton
  }

  sorted(): Uint32Array {
    const { sizeZooms, mortons } = this
    return this.numbers
      .slice(0, this.count)
      .sort(
        (one, other) =>
          (sizeZooms[one] as number) - (sizeZooms[other] as number) ||
          (mortons[one] as number) - (mortons[other] as number),
      )
  }
}
