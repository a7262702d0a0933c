import type { DateOrder, FoundLayout } from '#domain/imports/import-layout.schema.ts'
import { isBlank } from '../mapping/read-values.ts'
import {
  compactDateOf,
  type DateSeparator,
  type DateStyle,
  excelDayOf,
  numericDateOf,
} from '../values/read-dates.ts'

type Group = { proofs: Set<DateOrder>; unclear: number }

const maxExamples = 3

export class DateColumn {
  readonly examples: string[] = []
  private values = 0
  private numericDates = 0
  private excelDays = 0
  private hasNoExcelDays = false
  private hasNoCompactDates = false
  private readonly groups = new Map<DateSeparator, Group>()

  add(value: unknown) {
    if (isBlank(value)) return
    this.values++
    if (compactDateOf(value) === false) this.hasNoCompactDates = true
    const excelDay = excelDayOf(value)
    if (excelDay === false) this.hasNoExcelDays = true
    if (excelDay) this.excelDays++
    const date = numericDateOf(value)
    if (!date) return
    this.numericDates++
    const group = this.groups.get(date.separator) ?? { proofs: new Set(), unclear: 0 }
    this.groups.set(date.separator, group)
    if (date.proves) group.proofs.add(date.proves)
    else {
      group.unclear++
      if (this.examples.length < maxExamples) this.examples.push(String(value).trim())
    }
  }

  get isProven(): boolean {
    return this.values > 0 && !this.isUnclear
  }

  get isNumeric(): boolean {
    return this.numericDates * 2 >= this.values && this.numericDates > 0
  }

  get hasExcelDays(): boolean {
    return this.excelDays > 0 && !this.hasNoExcelDays
  }

  get isUnclear(): boolean {
    return [...this.groups.values()].some((group) => group.unclear > 0 && provenOrder(group) === undefined)
  }

  get order(): DateOrder | null {
    const orders = new Set(Object.values(this.style.orders ?? {}))
    const [order = null] = orders
    return this.isUnclear || orders.size > 1 ? null : order
  }

  get style(): DateStyle {
    const orders: Partial<Record<DateSeparator, DateOrder>> = {}
    for (const [separator, group] of this.groups) {
      const order = provenOrder(group)
      if (order) orders[separator] = order
    }
    return { orders, hasExcelDays: this.hasExcelDays, hasNoCompactDates: this.hasNoCompactDates }
  }
}

function provenOrder({ proofs }: Group): DateOrder | undefined {
  const [order, ...others] = proofs
  return others.length === 0 ? order : undefined
}

export const foundDates = (columns: ReadonlyMap<string, DateColumn>): FoundLayout['dates'] =>
  [...columns].flatMap(([column, dates]) =>
    dates.isNumeric ? [{ column, order: dates.order, examples: dates.examples }] : [],
  )
