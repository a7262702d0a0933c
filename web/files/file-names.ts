import type { FileOfFeature } from '#domain/files/file.schema.ts'
import { formatDate } from '#web/ui/formatters.ts'

const nouns = { photo: 'Photo', pdf: 'Document' }

export const fileLabel = ({ caption, name, kind }: FileOfFeature) => caption || name || nouns[kind]

export const describe = (file: FileOfFeature, index: number, count: number) =>
  `${fileLabel(file)}, ${index + 1} of ${count}`

/** The time of the camera, which has no time zone. */
export function takenText(takenAt: string): string {
  return formatDate(new Date(`${takenAt}Z`), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
}
