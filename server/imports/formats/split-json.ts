import { ImportError } from '../import-error.ts'
import { brokenJson, describePosition, parsePiece, type TextPosition } from './parse-piece.ts'

// Cuts JSON of any length into pieces that fit into memory: the elements of the root array, or of the root
// object's `features`, one by one. Works on bytes: everything it looks for is ASCII, and no byte of a longer
// UTF-8 sequence is. Several root values in a row (newline-delimited JSON, RFC 8142) are fine.

export type JsonPiece =
  /** An element of the root array, or of the root object's `features`. */
  | { piece: 'element'; value: unknown; isOfFeatures: boolean }
  /** The root object has an array of features; its elements follow. */
  | { piece: 'features' }
  /** A member of the root object, as soon as it is known. */
  | { piece: 'member'; name: string; value: unknown }
  /** The root value ended. `value` is set where it was neither object nor array. */
  | { piece: 'root'; type: 'object' | 'array' | 'scalar'; value?: unknown }

const maxPieceBytes = 64 * 2 ** 20
/** Later steps handle nested values by recursion. A geometry needs 6 levels. */
const maxDepth = 100

const byteOf = (character: string) => character.charCodeAt(0)
const quote = byteOf('"')
const backslash = byteOf('\\')
const comma = byteOf(',')
const colon = byteOf(':')
const openBrace = byteOf('{')
const closeBrace = byteOf('}')
const openBracket = byteOf('[')
const closeBracket = byteOf(']')
const semicolon = byteOf(';')
const newline = 10
const recordSeparator = 0x1e

const isSpace = (byte: number) => byte === 32 || byte === newline || byte === 13 || byte === 9

type State =
  | 'root'
  | 'name or }'
  | 'name'
  | 'colon'
  | 'value'
  | ', or }'
  | 'element or ]'
  | 'element'
  | ', or ]'
  | 'capture'

const expectedIn: Record<State, string> = {
  root: 'a value',
  'name or }': 'a name or }',
  name: 'a name',
  colon: 'a colon',
  value: 'a value',
  ', or }': ', or }',
  'element or ]': 'a value or ]',
  element: 'a value',
  ', or ]': ', or ]',
  capture: 'a value',
}

const startsValue = (byte: number) =>
  byte !== comma && byte !== colon && byte !== closeBrace && byte !== closeBracket

/** Reads a file's bytes; throws an ImportError that says where JSON is broken. */
export async function* splitJson(
  chunks: AsyncIterable<Uint8Array>,
  decode: (bytes: Uint8Array) => string,
  isScript = false,
): AsyncGenerator<JsonPiece> {
  const splitter = new JsonSplitter(decode, isScript)
  for await (const chunk of chunks) {
    splitter.push(chunk)
    yield* splitter.takePieces()
  }
  splitter.end()
  yield* splitter.takePieces()
}

class JsonSplitter {
  private readonly decode: (bytes: Uint8Array) => string
  /** An assignment to a variable: it may end with a semicolon. */
  private readonly isScript: boolean
  private pieces: JsonPiece[] = []
  private state: State = 'root'
  /** What to do with the captured value: it is the next thing expected in this state. */
  private captured: State = 'root'
  private captures: Uint8Array[] = []
  private captureBytes = 0
  private captureStart: TextPosition = { byte: 0, line: 1, column: 1 }
  private depth = 0
  private isInString = false
  private isEscaped = false
  private memberName = ''
  private isInFeatures = false
  /** Byte offset of the chunk, and of the line that is being read. */
  private chunkStart = 0
  private line = 1
  private lineStart = 0

  constructor(decode: (bytes: Uint8Array) => string, isScript: boolean) {
    this.decode = decode
    this.isScript = isScript
  }

  takePieces(): JsonPiece[] {
    const pieces = this.pieces
    this.pieces = []
    return pieces
  }

  push(chunk: Uint8Array) {
    let index = 0
    while (index < chunk.length)
      index = this.state === 'capture' ? this.capture(chunk, index) : this.step(chunk, index)
    this.chunkStart += chunk.length
  }

  end() {
    if (this.state === 'capture' && this.depth === 0 && !this.isInString) this.finishCapture()
    if (this.state === 'root') return
    const start =
      this.state === 'capture' ? `; what began at ${describePosition(this.captureStart)} never ends` : ''
    throw new ImportError(`The JSON breaks off at ${describePosition(this.positionAt(0))}${start}.`)
  }

  private positionAt(index: number): TextPosition {
    const byte = this.chunkStart + index
    return { byte, line: this.line, column: byte - this.lineStart + 1 }
  }

  /** Reads one byte between values; returns the index to go on at. */
  private step(chunk: Uint8Array, index: number): number {
    const byte = chunk[index] as number
    if (isSpace(byte) || (byte === recordSeparator && this.state === 'root')) {
      if (byte === newline) {
        this.line++
        this.lineStart = this.chunkStart + index + 1
      }
      return index + 1
    }
    switch (this.state) {
      case 'root':
        if (byte === semicolon && this.isScript) return index + 1
        if (byte === openBrace) this.state = 'name or }'
        else if (byte === openBracket) this.state = 'element or ]'
        else if (startsValue(byte)) return this.startCapture(index)
        else break
        return index + 1
      case 'name or }':
      case 'name':
        if (byte === closeBrace && this.state === 'name or }') return this.endRoot('object', index)
        if (byte === quote) return this.startCapture(index)
        break
      case 'colon':
        if (byte !== colon) break
        this.state = 'value'
        return index + 1
      case 'value':
        this.isInFeatures = this.memberName === 'features' && byte === openBracket
        if (!startsValue(byte)) break
        if (!this.isInFeatures) return this.startCapture(index)
        this.pieces.push({ piece: 'features' })
        this.state = 'element or ]'
        return index + 1
      case 'element or ]':
        if (byte === closeBracket) return this.endArray(index)
        if (startsValue(byte)) return this.startCapture(index)
        break
      case 'element':
        if (startsValue(byte)) return this.startCapture(index)
        break
      case ', or ]':
        if (byte === closeBracket) return this.endArray(index)
        if (byte !== comma) break
        this.state = 'element'
        return index + 1
      case ', or }':
        if (byte === closeBrace) return this.endRoot('object', index)
        if (byte !== comma) break
        this.state = 'name'
        return index + 1
      case 'capture':
        break
    }
    const found = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)) : `byte ${byte}`
    throw brokenJson(this.positionAt(index), `found ${found} where ${expectedIn[this.state]} should be`)
  }

  private endArray(index: number): number {
    if (!this.isInFeatures) return this.endRoot('array', index)
    this.isInFeatures = false
    this.state = ', or }'
    return index + 1
  }

  private endRoot(type: 'object' | 'array', index: number): number {
    this.pieces.push({ piece: 'root', type })
    this.state = 'root'
    return index + 1
  }

  private startCapture(index: number): number {
    this.captured = this.state
    this.state = 'capture'
    this.captureStart = this.positionAt(index)
    return index
  }

  /** Takes bytes up to the end of the value, or of the chunk; returns the index to go on at. */
  private capture(chunk: Uint8Array, start: number): number {
    let { depth, isInString, isEscaped } = this
    let index = start
    let isDone = false
    for (; index < chunk.length && !isDone; index++) {
      const byte = chunk[index] as number
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          isDone = depth === 0
        }
      } else if (byte === quote) isInString = true
      else if (byte === openBrace || byte === openBracket) {
        if (depth === maxDepth)
          throw new ImportError(
            `The JSON value at ${describePosition(this.captureStart)} is nested more than ${maxDepth} levels deep.`,
          )
        depth++
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) break
        depth--
        isDone = depth === 0
      } else if (depth === 0 && (byte === comma || isSpace(byte))) break
      if (byte === newline) {
        this.line++
        this.lineStart = this.chunkStart + index + 1
      }
    }
    this.depth = depth
    this.isInString = isInString
    this.isEscaped = isEscaped
    this.keep(chunk.subarray(start, index))
    if (isDone || index < chunk.length) this.finishCapture()
    return index
  }

  private keep(bytes: Uint8Array) {
    this.captures.push(bytes)
    this.captureBytes += bytes.length
    if (this.captureBytes > maxPieceBytes)
      throw new ImportError(
        `The JSON value at ${describePosition(this.captureStart)} is longer than ${maxPieceBytes / 2 ** 20} MB.`,
      )
  }

  private finishCapture() {
    const [only = new Uint8Array()] = this.captures
    const text = this.decode(this.captures.length === 1 ? only : Buffer.concat(this.captures))
    this.captures = []
    this.captureBytes = 0
    const value = parsePiece(text, this.captureStart)
    switch (this.captured) {
      case 'root':
        this.pieces.push({ piece: 'root', type: 'scalar', value })
        this.state = 'root'
        break
      case 'name or }':
      case 'name':
        this.memberName = String(value)
        this.state = 'colon'
        break
      case 'value':
        this.pieces.push({ piece: 'member', name: this.memberName, value })
        this.state = ', or }'
        break
      default:
        this.pieces.push({ piece: 'element', value, isOfFeatures: this.isInFeatures })
        this.state = ', or ]'
    }
  }
}
