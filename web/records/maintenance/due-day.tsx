import { daysOf } from '#domain/maintenance/due.ts'
import { calendarDay } from '#web/ui/relative-time.ts'
import { today } from '#web/ui/time-zone.ts'
import classes from './due-day.module.css'

export function DueDay({ day }: { day: string }) {
  const { last: lastOverdue } = daysOf('overdue', today())
  const { last: lastDue } = daysOf('due', today())
  const urgency = day <= lastOverdue ? 'overdue' : day <= lastDue ? 'due' : undefined
  const words = urgency === 'overdue' ? 'Overdue since' : urgency === 'due' ? 'Due' : 'Next due'
  return (
    <span className={classes.day} data-urgency={urgency}>
      {words} <time dateTime={day}>{calendarDay(day)}</time>
    </span>
  )
}
