import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'

const withComma = /^[-+]?[\d.]*\d,\d+$/
const withPoint = /^[-+]?[\d,]*\d\.\d+$/
const groupedByCommas = /^[-+]?\d{1,3}(,\d{3})+$/
const groupedByPoints = /^[-+]?\d{1,3}(\.\d{3})+$/

/** Tells the decimal mark of a table from its numbers. */
export class DecimalMarks {
  private readonly separator: string
  private hasPoint = false
  private hasComma = false

  constructor(separator: string) {
    this.separator = separator
  }

  add(value: unknown) {
    if (typeof value !== 'string') return
    const text = value.trim()
    const isOfCommas = this.separator === ';'
    if (withPoint.test(text) && !(isOfCommas && groupedByPoints.test(text))) this.hasPoint = true
    if (withComma.test(text) && (isOfCommas || !groupedByCommas.test(text))) this.hasComma = true
  }

  get isProven(): boolean {
    return this.hasPoint || this.hasComma
  }

  /** Commas are decimal where some cannot be anything else, and no number has a decimal point. */
  get mark(): DecimalMark {
    return this.hasComma && !this.hasPoint ? 'comma' : 'point'
  }
}
