import { timingSafeEqual } from 'node:crypto'

/** For secrets: takes equally long for every difference. */
export function isEqualText(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}
