import { describe, expect, it } from 'vitest'
import { daysOf, type MaintenancePlan, nextDueOf } from './due.ts'

const plan = (values: Partial<MaintenancePlan>): MaintenancePlan => ({
  task: null,
  everyMonths: null,
  month: null,
  firstDue: null,
  ...values,
})
const done = (date: string, nextDue: string | null = null) => ({ date, nextDue })

describe('when maintenance is due', () => {
  it.each<[string, Partial<MaintenancePlan>, string, string | null]>([
    ['a year on', { everyMonths: 12 }, '2026-05-02', '2027-05-02'],
    ['at the end of a shorter month', { everyMonths: 1 }, '2026-01-31', '2026-02-28'],
    ['in a leap year', { everyMonths: 1 }, '2024-01-31', '2024-02-29'],
    ['over the turn of the year', { everyMonths: 3 }, '2025-11-30', '2026-02-28'],
    ['in December', { everyMonths: 12 }, '2025-12-31', '2026-12-31'],
    ['by the end of the next May', { month: 'may' }, '2026-03-10', '2026-05-31'],
    ['not in the same May again', { month: 'may' }, '2026-05-02', '2027-05-31'],
    ['by the end of February', { month: 'february' }, '2027-06-01', '2028-02-29'],
    ['by the end of December', { month: 'december' }, '2026-12-01', '2027-12-31'],
    ['never, beyond what a calendar can say', { everyMonths: 12 }, '9999-06-01', null],
  ])('is %s', (_what, values, date, due) => {
    expect(nextDueOf({ maintenancePlan: plan(values) }, done(date))).toBe(due)
  })

  it('comes from the newest entry, regardless of the plan', () => {
    const newest = done('2026-01-01', '2026-02-03')
    expect(nextDueOf({ maintenancePlan: plan({ everyMonths: 12 }) }, newest)).toBe('2026-02-03')
    expect(nextDueOf({}, newest)).toBe('2026-02-03')
    expect(nextDueOf({}, done('2026-01-01'))).toBeNull()
  })

  it('is the first day of the plan without entries, or counted from the installation', () => {
    const installDate = '2020-07-04'
    const yearly = plan({ everyMonths: 12 })
    expect(nextDueOf({ installDate, maintenancePlan: yearly }, undefined)).toBe('2021-07-04')
    const begun = plan({ everyMonths: 12, firstDue: '2026-12-01' })
    expect(nextDueOf({ installDate, maintenancePlan: begun }, undefined)).toBe('2026-12-01')
    expect(nextDueOf({ maintenancePlan: yearly }, undefined)).toBeNull()
    expect(nextDueOf({ installDate }, undefined)).toBeNull()
  })

  it('is overdue from the day after, and due 30 days before', () => {
    expect(daysOf('overdue', '2026-05-20').last).toBe('2026-05-19')
    expect(daysOf('due', '2026-05-20')).toEqual({ first: '2026-05-20', last: '2026-06-19' })
  })
})
