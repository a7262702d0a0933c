/**
 * By ids of 16 hexadecimal digits, in about 30 bytes an id: a file may have millions. Open addressing; the digits are a
 * hash.
 */
export class FirstRows {
  private ids = new BigUint64Array(1024)
  /** 0 is a free slot: rows count from 1. */
  private rows = new Uint32Array(1024)
  size = 0

  /** Undefined if this is the first row of the id. */
  claim(hexId: string, row: number): number | undefined {
    if (this.size * 3 > this.ids.length * 2) this.grow()
    const id = BigInt(`0x${hexId}`)
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
