import { z } from 'zod'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { changeId, mapId, text } from '#domain/values/common.schema.ts'
import {
  defaultReportSettings,
  maxDueDays,
  maxEmailLength,
  maxNotice,
  maxStaffEmails,
  maxTemplates,
  maxTemplateText,
  maxTypeLabel,
  problemsOfReportSettings,
  publications,
  responseStates,
} from './report-settings.ts'

const emails = z.array(z.string().max(maxEmailLength)).max(maxStaffEmails)
const hour = z.number().int().min(0).max(23)

const typeSettings = z.strictObject({
  label: text(maxTypeLabel)
    .refine((label) => label.trim() !== '', 'must not be empty. Null is the name of the type')
    .nullable()
    .meta({ description: 'In the form and in titles of reports. Null: the name of the type' }),
  notice: text(maxNotice).meta({ description: 'Shown in the form' }),
  mustConfirm: z.boolean().meta({ description: 'Reporters confirm the notice before they go on' }),
  isOffered: z.boolean().meta({ description: 'Whether the form offers the type' }),
  dueDays: z
    .number()
    .int()
    .min(0)
    .max(maxDueDays)
    .nullable()
    .meta({ description: 'Days after acceptance until the incident is due. Null: none' }),
  staffEmails: emails
    .default([])
    .meta({ description: 'Get an email about each report of the type, such as shared mailboxes' }),
})

const settings = z.strictObject({
  publication: z.enum(publications).meta({ description: 'When a report becomes a public incident' }),
  types: z.record(z.enum(incidentTypes), typeSettings),
  templates: z
    .array(
      z.strictObject({
        id: changeId.meta({ description: 'Unique in the list' }),
        state: z.enum(responseStates),
        type: z.enum(incidentTypes).nullable().meta({ description: 'Null: all types' }),
        text: text(maxTemplateText),
      }),
    )
    .max(maxTemplates)
    .meta({ description: 'Texts that staff insert into public notes' }),
  emails: z
    .strictObject({
      board: emails.meta({ description: 'Get the weekly digest of the board' }),
      quietFrom: hour.nullable().meta({ description: 'Null: no quiet hours' }),
      quietUntil: hour,
      digestHour: hour.meta({ description: 'When daily and weekly emails are sent' }),
    })
    .default(defaultReportSettings.emails)
    .meta({ description: 'Hours are those of the association’s time zone' }),
})

export const reportSettings = settings.superRefine((values, context) => {
  for (const { path, message } of problemsOfReportSettings(values))
    context.addIssue({ code: 'custom', path, message })
})

export const reportSettingsAnswer = z.object({
  mapId,
  version: z.number().int().min(0).meta({ description: '0: the defaults' }),
  settings,
  sendsMail: z.boolean().meta({
    description: 'Whether a mail server is set up. Otherwise no address can be confirmed',
  }),
})
export type ReportSettingsAnswer = z.infer<typeof reportSettingsAnswer>

export const reportForm = z.object({
  publication: z.enum(publications),
  types: z.array(
    z.object({
      type: z.enum(incidentTypes),
      label: z.string(),
      notice: z.string(),
      mustConfirm: z.boolean(),
    }),
  ),
})
