import { z } from 'zod'
import { changeId, day, featureId, instant, text } from '#domain/values/common.schema.ts'

const blank = /^\s*$/

const value = {
  date: day.meta({ description: 'When the work was done' }),
  text: text(2_000)
    .refine((words) => !blank.test(words), 'must not be empty')
    .meta({ description: 'Description of the work' }),
  performedBy: text(200).nullable().meta({ description: 'Who did the work' }),
  costCents: z.number().int().min(0).max(1_000_000_000_000).nullable(),
  hours: z.number().min(0).max(100_000).nullable(),
  nextDue: day
    .nullable()
    .meta({ description: 'When maintenance is due next. Overrides the plan of the asset' }),
}

/** For staff: the public sees only date and text of the newest three. */
export const maintenanceEntry = z.object({
  id: changeId,
  ...value,
  version: z
    .number()
    .int()
    .min(1)
    .meta({ description: 'Version of the asset when the entry was last changed' }),
  createdAt: instant,
  createdBy: text(300).nullable().meta({ description: 'Null for imported entries' }),
})
export type MaintenanceEntry = z.infer<typeof maintenanceEntry>

/** The client chooses the id, so that a repeated request adds one entry. */
export const newMaintenanceEntry = z.strictObject({
  id: changeId,
  ...value,
  performedBy: value.performedBy.default(null),
  costCents: value.costCents.default(null),
  hours: value.hours.default(null),
  nextDue: value.nextDue.default(null),
})
export type NewMaintenanceEntry = z.input<typeof newMaintenanceEntry>

/** A merge patch (RFC 7396). */
export const maintenancePatch = z.strictObject(value).partial()
export type MaintenancePatch = z.infer<typeof maintenancePatch>

export const maintenanceLog = z.object({
  items: z.array(maintenanceEntry),
  nextDue: day.nullable().meta({ description: 'Set by the newest entry, or by the plan of the asset' }),
})
export type MaintenanceLog = z.infer<typeof maintenanceLog>

export const dueAsset = z.object({
  id: featureId,
  name: z.string(),
  type: z.string().nullable(),
  task: z.string().nullable().meta({ description: 'Task in the maintenance plan' }),
  dueOn: day,
  isOverdue: z.boolean(),
})
export type DueAsset = z.infer<typeof dueAsset>

/** Most urgent first; the counts are of all. */
export const dueMaintenance = z.object({
  items: z.array(dueAsset),
  overdue: z.number().int().min(0),
  due: z.number().int().min(0),
})
export type DueMaintenance = z.infer<typeof dueMaintenance>

export const calendarState = z.object({ sharedAt: instant.nullable(), sharedBy: z.string().nullable() })
export type CalendarState = z.infer<typeof calendarState>
