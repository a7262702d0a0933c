import { z } from 'zod'
import { schemasOf } from '#domain/definition/schema.ts'
import { featureBase } from '#domain/values/common.schema.ts'
import { incidentDefinition } from './incident.definition.ts'

export const incident = featureBase.extend({
  kind: z.literal('incident'),
  ...schemasOf(incidentDefinition.fields),
})
export type Incident = z.infer<typeof incident>
