import { z } from 'zod'
import { fileId } from '#domain/files/file.schema.ts'
import { day, featureId, instant, text } from '#domain/values/common.schema.ts'

export const landRecordTypes = { plat: 'Plat', deed: 'Deed', survey: 'Survey', other: 'Record' } as const
export type LandRecordType = keyof typeof landRecordTypes

/** The document that a change of land follows. */
export const landRecord = z.strictObject({
  type: z.enum(Object.keys(landRecordTypes) as LandRecordType[]),
  number: text(100).refine((value) => value.trim() !== '', 'must not be empty'),
  date: day.nullable().default(null),
  fileId: fileId.nullable().default(null).meta({
    description: 'A file of a changed feature, or of one that it came from. Null after the file was removed',
  }),
})
export type LandRecord = z.infer<typeof landRecord>

const maxOrigins = 50
const isEachOnce = (ids: readonly string[]) => new Set(ids).size === ids.length

export const landChange = z.strictObject({
  record: landRecord.nullable().default(null),
  origins: z
    .array(
      z.strictObject({
        id: featureId,
        from: z.array(featureId).min(1).max(maxOrigins).refine(isEachOnce, 'List each feature once.'),
      }),
    )
    .max(500)
    .refine((origins) => isEachOnce(origins.map(({ id }) => id)), 'List each feature once.')
    .default([])
    .meta({ description: 'For each feature that a split or merge created or changed, those it came from' }),
})
export type LandChange = z.infer<typeof landChange>

const named = z.object({ id: featureId, name: z.string() })

const lineageStep = z.object({
  changeId: z.string(),
  at: instant,
  actor: z.string(),
  record: landRecord.nullable(),
  features: z.array(named),
})

/** The newest first. Undone changes are left out. */
export const lineage = z.object({
  cameFrom: z.array(lineageStep),
  became: z.array(lineageStep),
  records: z
    .array(lineageStep)
    .meta({ description: 'Other changes of the feature that follow a record. `features` is empty' }),
})
export type Lineage = z.infer<typeof lineage>
export type LineageStep = z.infer<typeof lineageStep>

/** 'Plat 2026-14' */
export const recordName = ({ type, number }: LandRecord) => `${landRecordTypes[type]} ${number}`
