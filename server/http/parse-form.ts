import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ProblemError } from './problem.ts'

/** `fileName` is null for fields of text. */
export type FormPart = { field: string; fileName: string | null; bytes: Buffer }

const maxParts = 100
/** Of a field of text, which is cut there. */
const maxTextBytes = 100_000

/** A hostile form takes a few milliseconds for each piece. Other requests are answered in between. */
const pieceBytes = 64 * 1024

/** Reads `multipart/form-data` (RFC 7578). Parts are as large as the body permits. */
export async function parseForm(body: Buffer, contentType = ''): Promise<FormPart[]> {
  const parts: FormPart[] = []
  try {
    const headers: BusboyHeaders = { 'content-type': contentType }
    const limits = { parts: maxParts, headerPairs: 20, headerSize: 2_000, fieldSize: maxTextBytes }
    const form = new Busboy({ headers, limits })
    let failure: Error | undefined
    const fail = (error: Error) => {
      failure ??= error
    }
    form.on('error', fail)
    form.on('partsLimit', () => fail(new Error(`It has over ${maxParts} parts`)))
    form.on('field', (field, value) => parts.push({ field, fileName: null, bytes: Buffer.from(value) }))
    form.on('file', (field, stream, fileName = '') => {
      const pieces: Buffer[] = []
      stream.on('error', fail)
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => parts.push({ field, fileName, bytes: Buffer.concat(pieces) }))
    })
    for (let at = 0; at < body.length && !failure; at += pieceBytes) {
      form.write(body.subarray(at, at + pieceBytes))
      await setImmediate()
    }
    form.end()
    if (!failure) await finished(form)
    if (failure) throw failure
  } catch (error) {
    throw new ProblemError(400, `The form is malformed: ${(error as Error).message}.`)
  }
  return parts
}
