import type { DateOrder, FoundLayout } from '#domain/imports/import-layout.schema.ts'
import { isBlank } from '../mapping/read-values.ts'
import {
  compactDateOf,
  type DateSeparator,
  type DateStyle,
  dateSeparators,
  excelDayOf,
  numericDateOf,
} from '../values/read-dates.ts'

/** Values of a column with the same separator. */
type Group = { proofs: Set<DateOrder>; unclear: number }

const mostExamples = 3

/** Tells how the dates of a column are written, from all of its values. */
export class DateColumn {
  readonly examples: string[] = []
  private values = 0
  private numeric = 0
  private excelDays = 0
  private isNoExcel = false
  private hasNoCompactDates = false
  private readonly groups = new Map<DateSeparator, Group>()

  add(value: unknown) {
    if (isBlank(value)) return
    this.values++
    if (compactDateOf(value) === false) this.hasNoCompactDates = true
    const excelDay = excelDayOf(value)
    if (excelDay === false) this.isNoExcel = true
    if (excelDay) this.excelDays++
    const date = numericDateOf(value)
    if (!date) return
    this.numeric++
    const group = this.groups.get(date.separator) ?? { proofs: new Set(), unclear: 0 }
    this.groups.set(date.separator, group)
    if (date.proves) group.proofs.add(date.proves)
    else group.unclear++
    // A value that proves nothing shows why the question is asked.
    if (this.examples.length < mostExamples && date.proves === null) this.examples.push(String(value).trim())
  }

  get isEmpty(): boolean {
    return this.values === 0
  }

  /** Whether most values are dates whose day and month are both numbers. */
  get isNumeric(): boolean {
    return this.numeric * 2 >= this.values && this.numeric > 0
  }

  get hasExcelDays(): boolean {
    return this.excelDays > 0 && !this.isNoExcel
  }

  /** Whether a value could be two days, and no other value tells which. */
  get isUnclear(): boolean {
    return [...this.groups.values()].some((group) => group.unclear > 0 && orderOf(group) === undefined)
  }

  /** The order that all dates have, where it is one. */
  get order(): DateOrder | null {
    if (this.isUnclear) return null
    const orders = new Set([...this.groups.values()].flatMap((group) => orderOf(group) ?? []))
    return orders.size === 1 ? ([...orders][0] as DateOrder) : null
  }

  get style(): DateStyle {
    const orders = dateSeparators.flatMap((separator) => {
      const group = this.groups.get(separator)
      const order = group && orderOf(group)
      return order ? [[separator, order] as const] : []
    })
    return {
      orders: Object.fromEntries(orders),
      hasExcelDays: this.hasExcelDays,
      hasNoCompactDates: this.hasNoCompactDates,
    }
  }
}

/** Undefined where nothing proves it, or values prove both. */
function orderOf({ proofs }: Group): DateOrder | undefined {
  const [order, ...others] = proofs
  return others.length === 0 ? order : undefined
}

export const foundDates = (columns: ReadonlyMap<string, DateColumn>): FoundLayout['dates'] =>
  [...columns].flatMap(([column, dates]) =>
    dates.isNumeric ? [{ column, order: dates.order, examples: dates.examples }] : [],
  )
