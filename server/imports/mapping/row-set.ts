/** A set of row numbers, a bit each: millions of rows fit. Survives being sent to another thread as its bytes. */
export class RowSet {
  bytes: Uint8Array<ArrayBuffer>

  constructor(bytes = new Uint8Array(64)) {
    this.bytes = bytes
  }

  add(row: number) {
    const index = row >> 3
    if (index >= this.bytes.length) {
      const grown = new Uint8Array(2 * index)
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes[index] = (this.bytes[index] as number) | (1 << (row & 7))
  }

  has(row: number): boolean {
    return ((this.bytes[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
  }
}
