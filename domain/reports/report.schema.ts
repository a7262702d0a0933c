import { z } from 'zod'
import { fileOfFeature } from '#domain/files/file.schema.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { workStates } from '#domain/incidents/work-states.ts'
import { changeId, featureId, instant, text } from '#domain/values/common.schema.ts'
import { incidentNote } from '#domain/work/work.schema.ts'
import { blockDays, decidedStates, maxReportDescription, reportStates } from './report-states.ts'

/** Reports wait on phones without a connection. Older ones count as made this long ago. */
const maxWaitSeconds = 30 * 86_400

/** The secret of the private link: its holder reads the report, and changes it for an hour. */
export const reportKey = z
  .string()
  .regex(/^[0-9a-f]{32,64}$/, 'must be 32 to 64 lowercase hexadecimal digits')

const place = latLng.meta({ description: 'WGS 84' })
const description = text(maxReportDescription)
const email = z.email('must be an email address').max(254)

/** Hyphens are optional. No other id: it becomes the id of the incident, so it must not be guessable. */
const newReportId = z
  .string()
  .regex(
    /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
    'must be a UUID, of 32 hexadecimal digits',
  )

/** The sender chooses id and key, so that a repeated request creates one report. */
export const newReport = z.strictObject({
  id: newReportId.meta({ description: 'A random UUID. A repeated request returns the existing report' }),
  key: reportKey,
  type: z.enum(incidentTypes),
  place,
  accuracyMeters: z.number().min(0).max(1e6).nullable().default(null),
  description: description.default(''),
  email: email.nullable().default(null).meta({ description: 'For answers only. Never public' }),
  assetId: featureId.nullable().default(null).meta({ description: 'The asset that the report is about' }),
  sameAs: featureId
    .nullable()
    .default(null)
    .meta({ description: 'The incident that the reporter recognized as the same problem' }),
  secondsAgo: z
    .number()
    .int()
    .min(0)
    .transform((seconds) => Math.min(seconds, maxWaitSeconds))
    .default(0)
    .meta({ description: 'Time since the report was made, if it was sent later' }),
})
export type NewReport = z.output<typeof newReport>

/** Tells people and programs apart. */
export const reportCheck = z.strictObject({
  website: text(300).default('').meta({ description: 'Must be empty. Programs fill every field' }),
  secondsOnForm: z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .meta({ description: 'From opening the form until sending. Null for other programs' }),
  work: z
    .strictObject({
      challenge: z.string().regex(/^(\d{13,14}\.[0-9a-f]{32})?$/),
      nonce: z.number().int().min(0),
    })
    .nullable()
    .default(null)
    .meta({
      description:
        'A number with which the SHA-256 of `{challenge} {id} {nonce}` begins with as many zero bits as the challenge asks for',
    }),
})
export const sentReport = newReport.extend({ check: reportCheck.prefault({}) })
export type SentReport = z.output<typeof sentReport>

export const challenge = z.object({
  challenge: z.string().meta({ description: 'Valid for ten minutes, on this map' }),
  bits: z.number().int(),
})

const content = { type: z.enum(incidentTypes), place, description }

export const reportChange = z.strictObject(content).partial().extend({ email: email.nullable().optional() })
export type ReportChange = z.infer<typeof reportChange>

const reporters = z.number().int().min(0).meta({ description: 'How many people reported it' })

/** For the reporter: nothing that only staff may see. */
export const reportForReporter = z.object({
  id: changeId,
  number: z.number().int(),
  state: z.enum(reportStates),
  title: z.string(),
  ...content,
  email: z.string().nullable(),
  createdAt: instant,
  photos: z.array(fileOfFeature),
  publicNote: z.string().meta({ description: 'The reason for the decision, for the reporter' }),
  duplicateOf: featureId.nullable(),
  awaitsConfirmation: z
    .boolean()
    .meta({ description: 'Becomes public when the reporter confirms the email address' }),
  incident: z
    .object({
      id: featureId,
      title: z.string(),
      resolved: z.boolean(),
      workState: z.enum(workStates).nullable(),
      reporters,
    })
    .nullable()
    .meta({ description: 'The incident on the map: that of the report, or the one that it was joined with' }),
  notes: z.array(incidentNote).meta({ description: 'Public notes, and comments of the reporter' }),
})
export type ReportForReporter = z.infer<typeof reportForReporter>

/** For staff. */
export const report = reportForReporter.omit({ incident: true, notes: true }).extend({
  severity: z.enum(severities).nullable(),
  accuracyMeters: z.number().nullable(),
  assetId: featureId.nullable(),
  madeAt: instant.meta({ description: 'When the reporter made it; sent later without a connection' }),
  decidedBy: z.string().nullable(),
  originalDescription: z
    .string()
    .nullable()
    .meta({ description: 'As the reporter wrote it, if staff changed it' }),
  comments: z.array(incidentNote).meta({ description: 'Comments of the reporter, oldest first' }),
  reporters,
  duplicateTitle: z.string().nullable().meta({ description: 'Title of the incident that it duplicates' }),
  isSenderKnown: z.boolean().meta({ description: 'Whether the sender can be blocked' }),
  senderBlockedUntil: instant.nullable(),
  mailProblem: z.string().nullable().meta({ description: 'Why the last email could not be delivered' }),
  version: z.number().int(),
})
export type Report = z.infer<typeof report>

export const senderBlock = z.strictObject({ days: z.union(blockDays.map((days) => z.literal(days))) })

/** Each is named by the report for which its sender was blocked. */
export const blockedSenders = z.object({
  items: z.array(
    z.object({
      reportId: changeId,
      number: z.number().int(),
      title: z.string(),
      until: instant,
      blockedBy: z.string(),
    }),
  ),
})
export type BlockedSenders = z.infer<typeof blockedSenders>

/** Oldest first. `total` may exceed the items. */
export const reportList = z.object({
  items: z.array(report),
  total: z.number().int().min(0),
  sendsMail: z.boolean().meta({ description: 'Whether a mail server is set up. Otherwise emails wait' }),
})
export type ReportList = z.infer<typeof reportList>
export const maxListedReports = 200

/**
 * `new` takes a decision back: the incident of an accepted report leaves the map. `duplicate` merges the report into an
 * incident; any other state undoes that.
 */
export const reportDecision = z
  .strictObject({
    state: z.enum(decidedStates),
    publicNote: text(1_000).default(''),
    duplicateOf: featureId.nullable().default(null),
    publishesPhotos: z.boolean().default(false),
  })
  .refine(({ state, duplicateOf }) => (state === 'duplicate') === (duplicateOf !== null), {
    path: ['duplicateOf'],
    message: 'must be an incident if the state is duplicate, and null otherwise',
  })
export type ReportDecision = z.output<typeof reportDecision>

/** Merges an incident on the map into another one. */
export const incidentMerge = z.strictObject({
  into: featureId.meta({ description: 'The incident that remains' }),
})

/** The removal of the merged incident. */
export const mergedIncident = incidentMerge.extend({ changeId, version: z.number().int() })
export type MergedIncident = z.infer<typeof mergedIncident>

export const staffReportChange = z
  .strictObject({ ...content, title: text(300).min(1), severity: z.enum(severities).nullable() })
  .partial()
export type StaffReportChange = z.infer<typeof staffReportChange>

/** An incident near a new report that may be the same problem. */
export const similarIncident = z.object({
  id: featureId,
  title: z.string(),
  description: z.string(),
  type: z.enum(incidentTypes).nullable(),
  resolved: z.boolean(),
  date: instant.nullable(),
  distanceMeters: z.number(),
  photoId: z.string().nullable(),
  reporters,
})
export type SimilarIncident = z.infer<typeof similarIncident>
export const similarIncidents = z.object({
  /** Name of the parcel there. */
  where: z.string().nullable(),
  items: z.array(similarIncident),
})
export type SimilarIncidents = z.infer<typeof similarIncidents>
