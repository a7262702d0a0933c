import { z } from 'zod'
import { changeId, featureId, instant, text } from '#domain/values/common.schema.ts'

export const maxFileBytes = 25 * 1024 * 1024
export const maxFilesOfFeature = 10
export const maxPhotoPixels = 50_000_000

export const maxPieces = 1_000

/** Decided by content, never by name. */
export const fileKinds = ['photo', 'pdf'] as const
export type FileKind = (typeof fileKinds)[number]

export const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

/** `large` fits into 2048 pixels, `small` into 400; both without metadata. `original` is the uploaded file. */
export const fileVersions = ['original', 'large', 'small'] as const
export type FileVersion = (typeof fileVersions)[number]

/** A random UUID that the client chooses: a repeated upload has no effect. */
export const fileId = z.uuid()

const caption = text(500)

/** Properties that are not public are null for visitors. */
export const fileOfFeature = z.object({
  id: fileId,
  featureId,
  maintenanceId: changeId.nullable(),
  kind: z.enum(fileKinds),
  name: z.string().nullable(),
  caption: z.string(),
  isPublic: z.boolean(),
  /** Bytes of the original. */
  size: z.number().int(),
  /** Pixels of the large version of a photo. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  /** Camera clock, without a time zone: 2026-10-05T14:03:11. */
  takenAt: z.string().nullable(),
  addedAt: instant,
  addedBy: z.string().nullable(),
  isRedacted: z.boolean().meta({ description: 'Whether staff blacked out areas' }),
  version: z.number().int(),
})
export type FileOfFeature = z.infer<typeof fileOfFeature>

export const removedFile = fileOfFeature.extend({
  removedAt: instant,
  removedBy: z.string(),
  keptUntil: instant,
})

/** In the editors' order. `removed` is latest first, and empty for the public. */
export const filesOfFeature = z.object({ items: z.array(fileOfFeature), removed: z.array(removedFile) })
export type FilesOfFeature = z.infer<typeof filesOfFeature>

export const newUpload = z.strictObject({
  id: fileId,
  featureId,
  maintenanceId: changeId.nullable().default(null).meta({
    description: 'The maintenance entry that the file belongs to. It is removed and restored with the entry',
  }),
  name: text(255),
  size: z
    .number()
    .int()
    .min(1, 'the file is empty')
    .max(maxFileBytes, `the file is larger than ${maxFileBytes / 1024 / 1024} MB`),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits')
    .optional(),
})
export type NewUpload = z.output<typeof newUpload>

export const uploadState = z.object({
  id: fileId,
  size: z.number().int(),
  received: z.number().int(),
  file: fileOfFeature.nullable(),
})
export type UploadState = z.infer<typeof uploadState>

/** `index` is the position among the feature's files, from 0. */
export const fileChange = z.strictObject({
  caption: caption.optional(),
  isPublic: z.boolean().optional(),
  index: z.number().int().min(0).max(1_000).optional(),
})
export type FileChange = z.infer<typeof fileChange>

const part = z.number().min(0).max(1)

/** A rectangle of a photo, from the top left, in parts of its width and height. */
const photoArea = z
  .strictObject({ x: part, y: part, width: part.positive(), height: part.positive() })
  .refine(({ x, y, width, height }) => x + width <= 1.000001 && y + height <= 1.000001, {
    message: 'must be within the photo',
  })
export type PhotoArea = z.infer<typeof photoArea>

export const redaction = z.strictObject({
  id: fileId.meta({ description: 'A random UUID, the id of the new photo. A repeated request returns it' }),
  areas: z.array(photoArea).min(1).max(50),
})
export type Redaction = z.infer<typeof redaction>
