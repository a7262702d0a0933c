import { z } from 'zod'
import { changeId, day, featureId, instant, text } from '#domain/values/common.schema.ts'

const blank = /^\s*$/

const value = {
  date: day.meta({ description: 'The day on which it was done' }),
  text: text(2_000)
    .refine((words) => !blank.test(words), 'must not be empty')
    .meta({ description: 'What was done' }),
  performedBy: text(200).nullable().meta({ description: 'Who did it' }),
  costCents: z.number().int().min(0).max(1_000_000_000_000).nullable(),
  hours: z.number().min(0).max(100_000).nullable(),
  nextDue: day
    .nullable()
    .meta({ description: 'When it is to be done again, whatever the plan of the asset says' }),
}

/** For staff: the public sees only date and text of the newest three. */
export const maintenanceEntry = z.object({
  id: changeId,
  ...value,
  version: z.number().int().min(1).meta({ description: 'The version of the asset that it came with' }),
  createdAt: instant,
  createdBy: text(300).nullable().meta({ description: 'Null for entries of an import' }),
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
  nextDue: day.nullable().meta({ description: 'From the newest entry, or from the plan of the asset' }),
})
export type MaintenanceLog = z.infer<typeof maintenanceLog>

export const dueAsset = z.object({
  id: featureId,
  name: z.string(),
  type: z.string().nullable(),
  task: z.string().nullable().meta({ description: 'Task of the plan' }),
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
