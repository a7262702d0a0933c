import { readCursor, wholeNumber, writeCursor } from '../../http/cursor.ts'
import type { FeaturePage, ListPosition } from './feature-list.queries.ts'

export function toListPage({ items, total, last }: FeaturePage) {
  return { items, total, next: last && writeListPosition(last) }
}

export function writeListPosition({ kind, dateOrder, nameOrder, id }: ListPosition): string {
  return writeCursor([kind, String(dateOrder), nameOrder, id])
}

export function readListPosition(cursor: string): ListPosition {
  const [kind, dateOrder, nameOrder, id] = readCursor(cursor, 4)
  return { kind, dateOrder: wholeNumber(dateOrder, { least: Number.MIN_SAFE_INTEGER }), nameOrder, id }
}
