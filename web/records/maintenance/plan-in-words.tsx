import { type MaintenancePlan, nextDueOf, noPlan } from '#domain/maintenance/due.ts'
import { monthLabels } from '#domain/maintenance/maintenance-plan.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { calendarDay } from '#web/ui/relative-time.ts'

export function planText(plan: MaintenancePlan | null): string | null {
  if (plan === null) return null
  const { task, everyMonths, month } = plan
  const rhythm =
    month !== null
      ? `every ${monthLabels[month]}`
      : everyMonths === null
        ? null
        : everyMonths === 1
          ? 'every month'
          : `every ${formatNumber(everyMonths)} months`
  return [task, rhythm].filter((part) => part !== null).join(', ') || null
}

type PlanInWordsProps = {
  className: string | undefined
  /** Parts without a value may be missing. */
  plan: Partial<MaintenancePlan>
  installDate: string | null
}

/** Below the fields of a plan. Later due days count from the newest entry. */
export function PlanInWords({ className, plan, installDate }: PlanInWordsProps) {
  const maintenancePlan = { ...noPlan, ...plan }
  const words = planText(maintenancePlan)
  if (words === null) return null
  const first = nextDueOf({ maintenancePlan, installDate }, undefined)
  const { everyMonths, month } = maintenancePlan
  return (
    <p className={className} role="status">
      {words}
      {first !== null && `, first due ${calendarDay(first)}`}.
      {first === null
        ? ' Enter ‘First due’ or ‘Installed’ to see when it is due.'
        : everyMonths === null && month === null && ' It does not repeat.'}
    </p>
  )
}
