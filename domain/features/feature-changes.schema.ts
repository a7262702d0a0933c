import { z } from 'zod'
import { changeId, featureId, mapId, newFeatureId } from '#domain/values/common.schema.ts'
import { type DefinedKind, definitions } from './definitions.ts'
import { landChange } from './land-change.schema.ts'

export const maxOperations = 500

export const featureMergePatch = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Changed fields, including `geometry` and `metadata`' })

export const featureToAdd = z
  .looseObject({
    kind: z.enum(Object.keys(definitions) as DefinedKind[]),
    id: newFeatureId.meta({ description: 'Set by the client, such as a random UUID' }),
    mapId: mapId.optional(),
  })
  .meta({ description: 'All fields, including `geometry` and `metadata`. Omitted fields get their defaults' })
export type FeatureToAdd = z.infer<typeof featureToAdd>

const version = z.number().int().min(1)

const operation = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('add'), feature: featureToAdd }),
  z.strictObject({ action: z.literal('change'), id: featureId, version, change: featureMergePatch }),
  z.strictObject({ action: z.literal('remove'), id: featureId, version }),
])
export type FeatureOperation = z.infer<typeof operation>

const idOf = (item: FeatureOperation) => (item.action === 'add' ? item.feature.id : item.id)

/** The client chooses the id, so that a repeated request applies once. */
export const featureChanges = z.strictObject({
  id: changeId,
  items: z
    .array(operation)
    .min(1)
    .max(maxOperations)
    .refine((items) => new Set(items.map(idOf)).size === items.length, 'List each feature once.'),
  land: landChange.optional(),
})
export type FeatureChanges = z.infer<typeof featureChanges>
