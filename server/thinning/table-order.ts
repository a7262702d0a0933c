import type { FeatureColumns } from '../database/tables.ts'

/**
 * The order in which many features come into the table. Neighbours on the ground that come in at one zoom are neighbours
 * in the table and its indexes, too: these are filled page by page, and what a tile shows lies on few pages.
 */
export class TableOrder {
  private readonly numbers: Uint32Array<ArrayBuffer>
  private readonly sizeZooms: Uint8Array
  private readonly mortons: Float64Array
  private count = 0

  /** For features whose numbers are all less than `capacity`. */
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

  /** The numbers of those that were added. */
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
