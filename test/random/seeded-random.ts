// Reproducible random numbers: mulberry32 seeded by an FNV-1a hash.

export type SeededRandom = {
  /** In [0, 1). */
  next(): number
  between(low: number, high: number): number
  /** Both ends inclusive. */
  integer(low: number, high: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  shuffle<Item>(items: readonly Item[]): Item[]
}

export function seededRandom(seed: string): SeededRandom {
  let state = hash(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('There is nothing to pick from')
      return items[integer(0, items.length - 1)] as (typeof items)[number]
    },
    shuffle(items) {
      const shuffled = [...items]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(0, last)
        const held = shuffled[last] as (typeof items)[number]
        shuffled[last] = shuffled[other] as (typeof items)[number]
        shuffled[other] = held
      }
      return shuffled
    },
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value
}
