import type { Person } from '#domain/access/session.schema.ts'
import { recordActivity } from '../../activity/activity.queries.ts'
import type { Database } from '../../database/database.ts'
import { requireOpenMapIn } from '../../maps/maps.queries.ts'
import { deleteCalendar, newSecret, storeCalendar } from './calendars.queries.ts'

type QueueClient = { mapId: string; person: Person }

export function makeCalendar(database: Database, { mapId, person }: QueueClient): Promise<string> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const [secret, now] = [newSecret(), Date.now()]
    await storeCalendar(transaction, { mapId, secret, actor: person.name, now })
    await recordActivity(transaction, { mapId, actor: person, action: 'calendar.shared' }, now)
    return secret
  })
}

export function switchCalendarOff(database: Database, { mapId, person }: QueueClient): Promise<void> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    if (!(await deleteCalendar(transaction, mapId))) return
    await recordActivity(transaction, { mapId, actor: person, action: 'calendar.switched-off' }, Date.now())
  })
}
