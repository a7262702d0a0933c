import { z } from 'zod'
import { changeId, featureId, instant, text } from '#domain/values/common.schema.ts'

/** Bytes of one file. */
export const maxFileBytes = 25 * 1024 * 1024
/** Files of one feature, without those that were removed. */
export const maxFilesOfFeature = 10
/** Of a photo, width times height. */
export const maxPhotoPixels = 50_000_000

/** A piece of an upload has at most so many bytes. */
export const maxPieceBytes = 5 * 1024 * 1024
/** A file comes in at most so many pieces. */
export const maxPieces = 1_000

/** Decided by the content, never by the name. */
export const fileKinds = ['photo', 'pdf'] as const
export type FileKind = (typeof fileKinds)[number]

/** How the page tells a file dialog what may be chosen. */
export const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

/**
 * Versions of a file. The `large` version of a photo fits into 2048 pixels, the `small` one into 400; both are without
 * metadata. `original` is the uploaded file.
 */
export const fileVersions = ['original', 'large', 'small'] as const
export type FileVersion = (typeof fileVersions)[number]

/** A random UUID that the client chooses: a repeated upload has no effect. */
export const fileId = z.uuid()

const caption = text(500)

/** Properties of a public file that visitors may see; the others are null for them. */
export const fileOfFeature = z.object({
  id: fileId,
  featureId,
  /** The entry of its maintenance that it belongs to; null where it belongs to none. */
  maintenanceId: changeId.nullable(),
  kind: z.enum(fileKinds),
  /** As it was called on the sender's device. */
  name: z.string().nullable(),
  caption: z.string(),
  isPublic: z.boolean(),
  /** Bytes of the original. */
  size: z.number().int(),
  /** Size of the large version of a photo. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Where the photo was taken, as its camera says. */
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  /** By the camera's own clock, which tells no time zone: 2026-10-05T14:03:11. */
  takenAt: z.string().nullable(),
  addedAt: instant,
  addedBy: z.string().nullable(),
  version: z.number().int(),
})
export type FileOfFeature = z.infer<typeof fileOfFeature>

export const removedFile = fileOfFeature.extend({
  removedAt: instant,
  removedBy: z.string(),
  /** From then on it is gone for good. */
  keptUntil: instant,
})

/** In the order that editors chose. `removed` can be restored, the latest first; it is empty for the public. */
export const filesOfFeature = z.object({ items: z.array(fileOfFeature), removed: z.array(removedFile) })
export type FilesOfFeature = z.infer<typeof filesOfFeature>

export const newUpload = z.strictObject({
  id: fileId,
  featureId,
  maintenanceId: changeId
    .nullable()
    .default(null)
    .meta({ description: 'An entry of its maintenance: the file comes and goes with it' }),
  name: text(255),
  size: z
    .number()
    .int()
    .min(1, 'the file is empty')
    .max(maxFileBytes, `a file has at most ${maxFileBytes / 1024 / 1024} MB`),
  /** Optional; the received bytes are compared with it. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in small letters')
    .optional(),
})
export type NewUpload = z.output<typeof newUpload>

/** How far an upload has come. `file` is there when all of it has. */
export const uploadState = z.object({
  id: fileId,
  size: z.number().int(),
  received: z.number().int(),
  file: fileOfFeature.nullable(),
})
export type UploadState = z.infer<typeof uploadState>

/** Omitted properties stay unchanged. `index` is the position among the files of the feature, from 0. */
export const fileChange = z.strictObject({
  caption: caption.optional(),
  isPublic: z.boolean().optional(),
  index: z.number().int().min(0).max(1_000).optional(),
})
export type FileChange = z.infer<typeof fileChange>
