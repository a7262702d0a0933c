import { z } from 'zod'
import { featureBase, featureId, instant, text } from '#domain/features/common.schema.ts'
import { incidentTypes, severities } from './incident-types.ts'

/** Section 3 of the specification. Type, severity, date and reporter are null where the source is silent. */
export const incidentFields = z.object({
  title: text(300),
  description: text(20_000),
  type: z.enum(incidentTypes).nullable(),
  severity: z.enum(severities).nullable(),
  date: instant.nullable(),
  parcelId: featureId.nullable(),
  /** Personal: null where the map keeps it from the public. */
  reportedBy: text(300).nullable(),
  resolved: z.boolean(),
  resolvedDate: instant.nullable(),
})
export type IncidentFields = z.infer<typeof incidentFields>

export const incident = featureBase.extend({ kind: z.literal('incident'), ...incidentFields.shape })
export type Incident = z.infer<typeof incident>
