import { z } from 'zod'
import { featureKinds } from '#domain/definition/kinds.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { workStates } from '#domain/incidents/work-states.ts'
import { changeId, day, featureId, instant, text } from '#domain/values/common.schema.ts'
import { maxNote, noteSources } from './work-views.ts'

export const incidentNote = z.object({
  id: changeId,
  at: instant,
  source: z.enum(noteSources),
  author: z.string().nullable().meta({ description: 'For staff; null for others' }),
  text: z.string(),
  originalText: z
    .string()
    .nullable()
    .meta({ description: 'For staff: as its author wrote it, if staff changed it' }),
  state: z.enum(workStates).nullable().meta({ description: 'The state that the incident changed to' }),
  isPublic: z.boolean(),
  isWaiting: z.boolean().meta({ description: 'Written by someone else, and not reviewed by staff' }),
})
export type IncidentNote = z.infer<typeof incidentNote>

const mergedDuplicate = z.object({ id: featureId, title: z.string(), at: instant, by: z.string() })

/** Oldest first. Visitors get those that are public. */
export const incidentNotes = z.object({
  items: z.array(incidentNote),
  reporters: z.number().int().min(0).meta({ description: 'How many people reported the incident' }),
  merged: z.array(mergedDuplicate).meta({
    description: 'Reports and incidents that were merged into this one, newest first. Empty for visitors',
  }),
})
export type IncidentNotes = z.infer<typeof incidentNotes>

/** Everything is optional, but a step says or changes something. */
export const workStep = z
  .strictObject({
    id: changeId.meta({ description: 'A random UUID, which is also the id of the change, for undoing it' }),
    state: z.enum(workStates).optional(),
    assignee: text(200).nullable().optional(),
    due: day.nullable().optional(),
    publicNote: text(maxNote).default('').meta({ description: 'For everyone. Reporters get it by email' }),
    internalNote: text(maxNote).default('').meta({ description: 'For staff' }),
  })
  .refine(
    ({ id: _, publicNote, internalNote, ...fields }) =>
      publicNote.trim() !== '' || internalNote.trim() !== '' || Object.keys(fields).length > 0,
    { path: ['state'], message: 'or another value is required' },
  )
export type WorkStep = z.output<typeof workStep>

export const noteChange = z.strictObject({ text: text(maxNote).min(1), isPublic: z.boolean() }).partial()
export type NoteChange = z.infer<typeof noteChange>

export const newComment = z.strictObject({
  id: changeId.meta({ description: 'A random UUID. A repeated request returns the existing comment' }),
  text: text(maxNote).refine((words) => words.trim() !== '', 'must not be empty'),
})
export type NewComment = z.infer<typeof newComment>

/** How long a link for a contractor works. */
export const workLinkDays = 14

export const newWorkLink = z.strictObject({
  id: changeId.meta({ description: 'A random UUID. A repeated request returns the existing link' }),
  name: text(200).refine((name) => name.trim() !== '', 'must not be empty'),
  email: z.email('must be an email address').max(254).nullable().default(null),
  instructions: text(maxNote).default('').meta({ description: 'For the contractor and staff' }),
})
export type NewWorkLink = z.output<typeof newWorkLink>

/** Lets someone without an account work on one incident. */
export const workLink = z.object({
  id: changeId,
  name: z.string(),
  email: z.string().nullable(),
  instructions: z.string(),
  address: z.string().nullable().meta({ description: 'Secret. Null if the link has expired or was revoked' }),
  createdAt: instant,
  createdBy: z.string(),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  doneAt: instant.nullable(),
  mailedAt: instant.nullable(),
  mailProblem: z.string().nullable(),
})
export type WorkLink = z.infer<typeof workLink>

/** For the holder of a work link. */
export const workOrder = z.object({
  association: z.object({ name: z.string(), phone: z.string().nullable(), email: z.string().nullable() }),
  name: z.string().meta({ description: 'The contractor' }),
  instructions: z.string(),
  expiresAt: instant,
  doneAt: instant.nullable(),
  incident: z.object({
    id: featureId,
    title: z.string(),
    description: z.string(),
    type: z.enum(incidentTypes).nullable(),
    severity: z.enum(severities).nullable(),
    place: latLng,
    workState: z.enum(workStates).nullable(),
    due: day.nullable(),
  }),
  photos: z.array(z.object({ id: z.string(), isOwn: z.boolean() })),
  notes: z.array(incidentNote).meta({ description: 'Public notes, and those of the contractor' }),
})
export type WorkOrder = z.infer<typeof workOrder>

export const workLinkStep = newComment
  .extend({
    text: text(maxNote).default(''),
    state: z.enum(['in_progress', 'waiting', 'resolved']).optional(),
  })
  .refine(({ text, state }) => text.trim() !== '' || state !== undefined, {
    path: ['text'],
    message: 'or a state is required',
  })
export type WorkLinkStep = z.output<typeof workLinkStep>

/** An open incident, or an asset whose maintenance is due. */
export const workItem = z.object({
  id: featureId,
  kind: z.enum(featureKinds),
  title: z.string(),
  description: z.string().meta({ description: 'At most 200 characters of it' }),
  type: z.string().nullable(),
  severity: z.enum(severities).nullable(),
  state: z.enum(workStates).nullable(),
  assignee: z.string().nullable(),
  due: day.nullable(),
  isOverdue: z.boolean(),
  since: instant.nullable().meta({ description: 'The date of the incident' }),
})
export type WorkItem = z.infer<typeof workItem>

/** Overdue first, then by due date, severity and age. `total` may exceed the items. */
export const workList = z.object({ items: z.array(workItem), total: z.number().int().min(0) })
export type WorkList = z.infer<typeof workList>
export const maxListedWork = 200
