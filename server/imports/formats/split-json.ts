import { ImportError } from '../import-error.ts'
import { brokenJson, describePosition, type Expected, parseJsonAt, type TextPosition } from './parse-json.ts'

// Cuts JSON of any length into pieces that fit into memory: the elements of the root array or of the root object's
// `features`. Works on bytes: all syntax is ASCII, and no byte of a longer UTF-8 sequence is. Several root values
// (newline-delimited JSON, RFC 8142) are allowed.

/** `read` parses the value, and throws if it is invalid. */
export type JsonPiece =
  | { piece: 'element'; read: () => unknown; isOfFeatures: boolean }
  | { piece: 'features' }
  | { piece: 'member'; name: string; read: () => unknown }
  | { piece: 'scalar'; read: () => unknown }
  | { piece: 'root'; type: 'object' | 'array' }

const maxPieceBytes = 64 * 2 ** 20
/** Later steps handle nested values by recursion. A geometry needs 6 levels. */
const maxDepth = 100

const [quote, backslash, comma, colon, semicolon] = [0x22, 0x5c, 0x2c, 0x3a, 0x3b]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [newline, recordSeparator] = [0x0a, 0x1e]

const isSpace = (byte: number) => byte === 32 || byte === newline || byte === 13 || byte === 9

const startsValue = (byte: number) =>
  byte !== comma && byte !== colon && byte !== closeBrace && byte !== closeBracket

/** Many pieces at once: a row may have six. */
export async function* splitJson(
  chunks: AsyncIterable<Uint8Array>,
  decode: (bytes: Uint8Array) => string,
  isScript = false,
): AsyncGenerator<JsonPiece[]> {
  const splitter = new JsonSplitter(decode, isScript)
  let failure: unknown
  const piecesAfter = (work: () => void) => {
    try {
      work()
    } catch (error) {
      // The pieces before it may have the first error.
      failure = error
    }
    return splitter.takePieces()
  }
  for await (const chunk of chunks) {
    yield piecesAfter(() => splitter.push(chunk))
    if (failure) throw failure
  }
  yield piecesAfter(() => splitter.end())
  if (failure) throw failure
}

class JsonSplitter {
  private readonly decode: (bytes: Uint8Array) => string
  private readonly isScript: boolean
  private pieces: JsonPiece[] = []
  private expected: Exclude<Expected, 'nothing more'> | 'root' | 'element' = 'root'
  private isCapturing = false
  private captures: Uint8Array[] = []
  private captureBytes = 0
  private captureStart: TextPosition = { byte: 0, line: 1, column: 1 }
  private depth = 0
  private isInString = false
  private isEscaped = false
  private memberName = ''
  private isInFeatures = false
  private chunkStart = 0
  private line = 1
  private lineStart = 0

  constructor(decode: (bytes: Uint8Array) => string, isScript: boolean) {
    this.decode = decode
    this.isScript = isScript
  }

  takePieces(): JsonPiece[] {
    return this.pieces.splice(0)
  }

  push(chunk: Uint8Array) {
    let index = 0
    while (index < chunk.length)
      index = this.isCapturing ? this.capture(chunk, index) : this.step(chunk, index)
    this.chunkStart += chunk.length
  }

  end() {
    if (this.isCapturing && this.depth === 0 && !this.isInString) this.finishCapture()
    if (this.expected === 'root' && !this.isCapturing) return
    const start = this.isCapturing
      ? `, inside the value that starts at ${describePosition(this.captureStart)}`
      : ''
    throw new ImportError(`The JSON ends too early at ${describePosition(this.positionAt(0))}${start}.`)
  }

  private positionAt(index: number): TextPosition {
    const byte = this.chunkStart + index
    return { byte, line: this.line, column: byte - this.lineStart + 1 }
  }

  private startLine(index: number) {
    this.line++
    this.lineStart = this.chunkStart + index + 1
  }

  private step(chunk: Uint8Array, index: number): number {
    const byte = chunk[index] as number
    const { expected } = this
    if (byte === newline) this.startLine(index)
    const isIgnoredInRoot = byte === recordSeparator || (byte === semicolon && this.isScript)
    if (isSpace(byte) || (expected === 'root' && isIgnoredInRoot)) return index + 1
    const next = this.afterByte(byte)
    if (next) {
      this.expected = next
      return index + 1
    }
    const isName = expected === 'a name' || expected === 'a name or }'
    const isValue = expected === 'root' || expected === 'element' || expected.startsWith('a value')
    if (isName ? byte !== quote : !isValue || !startsValue(byte)) {
      const found = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)) : `byte ${byte}`
      const words = expected === 'root' || expected === 'element' ? 'a value' : expected
      throw brokenJson(this.positionAt(index), `found ${found} instead of ${words}`)
    }
    this.isCapturing = true
    this.captureStart = this.positionAt(index)
    return index
  }

  private afterByte(byte: number): JsonSplitter['expected'] | undefined {
    const { expected } = this
    if (byte === openBrace) return expected === 'root' ? 'a name or }' : undefined
    if (byte === openBracket) {
      if (expected === 'root') return 'a value or ]'
      if (expected !== 'a value' || this.memberName !== 'features') return undefined
      this.isInFeatures = true
      this.pieces.push({ piece: 'features' })
      return 'a value or ]'
    }
    if (byte === closeBrace && expected.endsWith('or }')) return this.endRoot('object')
    if (byte === closeBracket && expected.endsWith('or ]')) {
      if (!this.isInFeatures) return this.endRoot('array')
      this.isInFeatures = false
      return ', or }'
    }
    if (byte === colon) return expected === 'a colon' ? 'a value' : undefined
    if (byte !== comma || !expected.startsWith(',')) return undefined
    return expected === ', or }' ? 'a name' : 'element'
  }

  private endRoot(type: 'object' | 'array'): 'root' {
    this.pieces.push({ piece: 'root', type })
    return 'root'
  }

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
        if (depth === maxDepth) throw this.tooMuch(`nested more than ${maxDepth} levels deep`)
        depth++
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) break
        depth--
        isDone = depth === 0
      } else if (depth === 0 && (byte === comma || isSpace(byte))) break
      if (byte === newline) this.startLine(index)
    }
    Object.assign(this, { depth, isInString, isEscaped })
    this.captures.push(chunk.subarray(start, index))
    this.captureBytes += index - start
    if (this.captureBytes > maxPieceBytes) throw this.tooMuch(`longer than ${maxPieceBytes / 2 ** 20} MB`)
    if (isDone || index < chunk.length) this.finishCapture()
    return index
  }

  private tooMuch(what: string) {
    return new ImportError(`The JSON value at ${describePosition(this.captureStart)} is ${what}.`)
  }

  private finishCapture() {
    const [only = new Uint8Array()] = this.captures
    const bytes = this.captures.length === 1 ? only : Buffer.concat(this.captures)
    const start = this.captureStart
    this.captures = []
    this.captureBytes = 0
    this.isCapturing = false
    const read = () => parseJsonAt(this.decode(bytes), start)
    if (this.expected === 'root') this.pieces.push({ piece: 'scalar', read })
    else if (this.expected.startsWith('a name')) {
      this.memberName = String(read())
      this.expected = 'a colon'
    } else if (this.expected === 'a value') {
      this.pieces.push({ piece: 'member', name: this.memberName, read })
      this.expected = ', or }'
    } else {
      this.pieces.push({ piece: 'element', read, isOfFeatures: this.isInFeatures })
      this.expected = ', or ]'
    }
  }
}
