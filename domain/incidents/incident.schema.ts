import { z } from 'zod'
import { shapeOf } from '#domain/definition/schema.ts'
import { featureBase } from '#domain/values/common.schema.ts'
import { incidentDefinition } from './incident.definition.ts'

export const incident = featureBase.extend({
  kind: z.literal('incident'),
  ...shapeOf(incidentDefinition.fields),
})
export type Incident = z.infer<typeof incident>
