import { timingSafeEqual } from 'node:crypto'

/** For secrets: takes equally long for every difference. */
export const isEqualText = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
