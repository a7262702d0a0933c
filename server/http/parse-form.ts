import { ProblemError } from './problem.ts'

/** `fileName` is null for fields of text. */
export type FormPart = { field: string; fileName: string | null; bytes: Buffer }

const maxParts = 100
const maxHeadBytes = 2_000

/**
 * Reads `multipart/form-data` (RFC 7578) without copying the content. The parser of the platform accepts any number of
 * parts and headers, which takes seconds.
 */
export function parseForm(body: Buffer, contentType = ''): FormPart[] {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? token ?? ''}`
  const parts: FormPart[] = []
  let head = body.indexOf(delimiter.slice(2)) + delimiter.length - 2
  while (head >= delimiter.length - 2 && parts.length <= maxParts) {
    if (body.toString('latin1', head, head + 2) === '--') return parts
    const headEnd = head + body.subarray(head, head + maxHeadBytes).indexOf('\r\n\r\n')
    const end = body.indexOf(delimiter, headEnd + 4)
    if (headEnd < head || end === -1) break
    const bytes = body.subarray(headEnd + 4, end)
    parts.push({ ...readHead(body.toString('utf8', head, headEnd)), bytes })
    head = end + delimiter.length
  }
  throw malformed(
    `its boundary, its end or the header of a part is missing, or it has over ${maxParts} parts`,
  )
}

function readHead(head: string) {
  const disposition = /^content-disposition:\s*form-data\b.*/im.exec(head)?.[0] ?? ''
  const read = (name: string) => {
    const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition)
    return found && (found[1] ?? found[2] ?? '')
  }
  const field = read('name')
  if (field === null) throw malformed('a part has no name')
  return { field, fileName: read('filename\\*?') }
}

const malformed = (reason: string) => new ProblemError(400, `The form is malformed: ${reason}.`)
