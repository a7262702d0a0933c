import { hash } from 'node:crypto'
import type { SourceRecord } from '../formats/source-record.ts'
import { isBlank } from '../mapping/read-values.ts'
import { FirstRows } from './first-rows.ts'
import type { Survey } from './survey.ts'

/** Each column costs memory for every row. */
const mostExamined = 5

export class IdColumns {
  othersHaveId = false
  private rows = 0
  private readonly values = new Map<string, FirstRows>()

  note({ properties, rowNumber }: SourceRecord) {
    this.rows++
    if (this.rows === 1)
      for (const [name] of properties.filter(([name]) => isNamedLikeId(name)).slice(0, mostExamined))
        this.values.set(name, new FirstRows())
    if (this.values.size === 0) return
    for (const [name, value] of properties) {
      const firstRows = this.values.get(name)
      if (!firstRows) continue
      const isId = (typeof value === 'string' || typeof value === 'number') && !isBlank(value)
      const digits = isId ? hash('sha256', String(value).trim(), 'hex').slice(0, 16) : undefined
      if (digits === undefined || firstRows.claim(digits, rowNumber) !== undefined) this.values.delete(name)
    }
  }

  get result(): Survey['withoutId'] {
    const { rows, othersHaveId } = this
    const found = [...this.values].find(([, { size }]) => size === rows)
    return { rows, othersHaveId, likelyColumn: (!othersHaveId && found?.[0]) || null }
  }
}

const idWords = new Set(['id', 'no', 'nr', 'nbr', 'num', 'number', 'key', 'guid', 'uuid'])
const otherThings =
  /phone|mobile|fax|house|street|addr|situs|owner|parent|zip|postal|unit|apt|year|date|block|page|book/i
const joined =
  /^(parcel|lot|asset|pole|feature|record|object|global|unique|incident|case|ticket|property|pin|tax|item|tag|serial)?(id|no|nr|nbr|num|number)$/
const shortNames = new Set(['apn', 'pin', 'ain', 'pid', 'fid', 'gid', 'oid', 'guid', 'uuid'])

export function isNamedLikeId(column: string): boolean {
  if (otherThings.test(column)) return false
  const words = column
    .replaceAll('#', ' no ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return idWords.has(words.at(-1) ?? '') || shortNames.has(words.join('')) || joined.test(words.join(''))
}
