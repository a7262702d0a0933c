// FIPS 180-4. `crypto.subtle` is missing over plain HTTP in a local network, and slow for many short texts.

/** The first 32 bits of the cube roots and, for `initial`, of the square roots of the first primes. */
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
const primes = Array.from({ length: 310 }, (_, index) => index + 2).filter(
  (number, _, all) => !all.some((divisor) => divisor < number && number % divisor === 0),
)
const constants = Uint32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))
const initial = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const words = new Uint32Array(64)
const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by))
const at = (values: Uint32Array, index: number) => values[index] as number

/** Eight words of 32 bits. */
export function sha256(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  const hash = initial.slice()
  for (let offset = 0; offset < padded.byteLength; offset += 64) addBlock(hash, padded, offset)
  return hash
}

function addBlock(hash: Uint32Array, block: DataView, offset: number) {
  for (let index = 0; index < 64; index++) {
    if (index < 16) {
      words[index] = block.getUint32(offset + index * 4)
      continue
    }
    const [early, late] = [at(words, index - 15), at(words, index - 2)]
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    words[index] = at(words, index - 16) + first + at(words, index - 7) + second
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let index = 0; index < 64; index++) {
    const upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const one = (h + upper + ((e & f) ^ (~e & g)) + at(constants, index) + at(words, index)) | 0
    const lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const two = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = at(hash, index) + value
}
