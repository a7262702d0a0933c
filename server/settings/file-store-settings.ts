import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type BlobStore, openDiskStore } from '../blob-stores/blob-store.ts'
import { openS3Store, type S3Location } from '../blob-stores/s3-store.ts'

const isBucketAddress = (url: string) => {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false
  const { pathname, search, hash, username } = new URL(url)
  return /^\/[^/]+\/?$/.test(pathname) && search === '' && hash === '' && username === ''
}

export const fileStoreSettings = {
  FILE_STORE_URL: z
    .string()
    .refine(
      isBucketAddress,
      'must be an http(s) address with the bucket as its path, such as https://s3.example.org/poa-files',
    )
    .optional(),
  FILE_STORE_REGION: z.string().default('us-east-1'),
  FILE_STORE_KEY_ID: z.string().optional(),
  FILE_STORE_SECRET: z.string().optional(),
  FILE_STORE_SECRET_FILE: z.string().optional(),
}
type FileStoreSettings = z.infer<z.ZodObject<typeof fileStoreSettings>>

export function findFileStoreProblems(settings: FileStoreSettings): { setting: string; message: string }[] {
  const { FILE_STORE_URL: url, FILE_STORE_SECRET: secret, FILE_STORE_SECRET_FILE: file } = settings
  if (url === undefined)
    return (['FILE_STORE_KEY_ID', 'FILE_STORE_SECRET', 'FILE_STORE_SECRET_FILE'] as const)
      .filter((setting) => settings[setting] !== undefined)
      .map((setting) => ({ setting, message: 'requires FILE_STORE_URL' }))
  const problems: [isWrong: boolean, setting: string, message: string][] = [
    [settings.FILE_STORE_KEY_ID === undefined, 'FILE_STORE_KEY_ID', 'is required with FILE_STORE_URL'],
    [
      secret === undefined && file === undefined,
      'FILE_STORE_SECRET',
      'or FILE_STORE_SECRET_FILE is required with FILE_STORE_URL',
    ],
    [
      secret !== undefined && file !== undefined,
      'FILE_STORE_SECRET',
      'cannot be combined with FILE_STORE_SECRET_FILE',
    ],
    [
      file !== undefined && readSecret(file) === '',
      'FILE_STORE_SECRET_FILE',
      `${file} cannot be read, or is empty`,
    ],
  ]
  return problems.flatMap(([isWrong, setting, message]) => (isWrong ? [{ setting, message }] : []))
}

export function fileStoreOf(settings: FileStoreSettings): S3Location | null {
  const { FILE_STORE_URL: url, FILE_STORE_SECRET_FILE: file } = settings
  if (url === undefined) return null
  return {
    url: url.replace(/\/$/, ''),
    region: settings.FILE_STORE_REGION,
    keyId: settings.FILE_STORE_KEY_ID ?? '',
    secret: settings.FILE_STORE_SECRET ?? (file === undefined ? '' : readSecret(file)),
  }
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

type StoreSettings = { dataDirectory: string; fileStore: S3Location | null }

export const openFileStore = ({ dataDirectory, fileStore }: StoreSettings): BlobStore =>
  fileStore ? openS3Store(fileStore) : openDiskStore(join(dataDirectory, 'files'))
