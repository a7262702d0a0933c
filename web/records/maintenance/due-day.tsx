import { daysOf } from '#domain/maintenance/due.ts'
import { calendarDay } from '#web/ui/relative-time.ts'
import classes from './due-day.module.css'

export function DueDay({ day }: { day: string }) {
  const now = Date.now()
  const { last: lastOverdue } = daysOf('overdue', now)
  const { last: lastDue } = daysOf('due', now)
  const urgency = day <= lastOverdue ? 'overdue' : day <= lastDue ? 'due' : undefined
  const words = urgency === 'overdue' ? 'Overdue since' : urgency === 'due' ? 'Due' : 'Next due'
  return (
    <span className={classes.day} data-urgency={urgency}>
      {words} <time dateTime={day}>{calendarDay(day)}</time>
    </span>
  )
}
