import type { FileOfFeature } from '#domain/files/file.schema.ts'

const nouns = { photo: 'Photo', pdf: 'Document' }

/** What a file is called on the screen: as somebody has said it, else as it was called where it came from. */
export const nameOf = ({ caption, name, kind }: FileOfFeature) => caption || name || nouns[kind]

/** For who does not see it: a picture without words is one of several. */
export const describe = (file: FileOfFeature, index: number, count: number) =>
  `${nameOf(file)}, ${index + 1} of ${count}`

/** A camera's own time, which is of no zone. */
export function takenText(takenAt: string): string {
  return new Date(`${takenAt}Z`).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
}
