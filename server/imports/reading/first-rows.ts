/**
 * Remembers in which row an id of 16 hexadecimal digits came first, in some 30 bytes an id: a file may have millions. Open addressing; the digits are a hash already.
 */
export class FirstRows {
  private ids = new BigUint64Array(1024)
  /** 0 where the place is free: rows count from 1. */
  private rows = new Uint32Array(1024)
  size = 0

  /** Returns the row that had the id already, or undefined and takes this row for its first. */
  claim(hexId: string, row: number): number | undefined {
    if (this.size * 3 > this.ids.length * 2) this.grow()
    const id = BigInt(`0x${hexId}`)
    const place = this.placeOf(id)
    const first = this.rows[place]
    if (first) return first
    this.ids[place] = id
    this.rows[place] = row
    this.size++
    return undefined
  }

  private placeOf(id: bigint): number {
    const mask = this.ids.length - 1
    let place = Number(id & BigInt(mask))
    while (this.rows[place] && this.ids[place] !== id) place = (place + 1) & mask
    return place
  }

  private grow() {
    const { ids, rows } = this
    this.ids = new BigUint64Array(ids.length * 2)
    this.rows = new Uint32Array(rows.length * 2)
    for (const [place, row] of rows.entries()) {
      if (!row) continue
      const id = ids[place] as bigint
      const newPlace = this.placeOf(id)
      this.ids[newPlace] = id
      this.rows[newPlace] = row
    }
  }
}
