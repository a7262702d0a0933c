import type { FileOfFeature } from '#domain/files/file.schema.ts'

const nouns = { photo: 'Photo', pdf: 'Document' }

/** What a file is called on the screen: as somebody has said it, else as it was called where it came from. */
export const nameOf = ({ caption, name, kind }: FileOfFeature) => caption || name || nouns[kind]

/** For who does not see it: a picture without words is one of several. */
export const describe = (file: FileOfFeature, index: number, count: number) =>
  `${nameOf(file)}, ${index + 1} of ${count}`

export function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  const [value, unit] = megabytes >= 1 ? [megabytes, 'megabyte'] : [bytes / 1024, 'kilobyte']
  return value.toLocaleString(undefined, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 })
}

/** A camera's own time, which is of no zone. */
export function takenText(takenAt: string): string {
  return new Date(`${takenAt}Z`).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
}
