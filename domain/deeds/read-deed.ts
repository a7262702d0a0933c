import { type Call, chordAzimuthDegrees, exitAzimuthDegrees, normalizeAzimuth } from './call.ts'
import { type Clause, callOf, hasLength, isStraight, isWholeCurve, type Label, type Span } from './clause.ts'
import {
  dueDirection,
  type LengthUnit,
  lengthUnits,
  matchAt,
  normalizeText,
  readDelta,
  readDirection,
  readLength,
} from './notation.ts'

export type DeedCall = Span & {
  call: Call
  /** Leads from a reference point to the point of beginning, and is no side of the lot. */
  isTie: boolean
  /** A contradiction between the measures of a curve. */
  note: string | null
}

export type UnreadPassage = Span & { message: string }

export type Deed = {
  calls: DeedCall[]
  /** Passages that look like calls but could not be read, in the order of the text. */
  unread: UnreadPassage[]
  /** 'The point of beginning', if the calls end there. */
  closing: Span | null
  /** The last side is a line to the point of beginning, without bearing and distance. */
  isClosedByLine: boolean
}

const maxDeedCharacters = 50_000

/**
 * Reads the first lot that a legal description describes by calls, in linear time. A number without a unit
 * is in the unit of the previous length, or in feet.
 */
export function readDeed(text: string): Deed {
  const { calls, unread, closing, isClosedByLine } = new DeedReader(text.slice(0, maxDeedCharacters))
  if (text.length > maxDeedCharacters) {
    const message = 'Only the first 50,000 characters are read.'
    unread.push({ start: maxDeedCharacters, end: text.length, message })
  }
  return { calls, unread: unread.sort((one, other) => one.start - other.start), closing, isClosedByLine }
}

const thence =
  /(?:thence|thense)\b|then\s(?=(?:along|up|down|with|following|running|by|due|[ns]|north\w*|south\w*|east\w*|west\w*)\b)/iy
const lineWords = /\s?(?:and\s)?(?:along|up|down|following|meandering|running)\b/iy
const beginning = /(?:beginning|beg|p\.?o\.?b)(?![a-z])/iy
const isReached =
  /(?:(?:\bto\s)?(?:the\s|said\s)?(?:true\s)?(?:point|place|corner)(?:\sand\splace)?\sof|\bto(?:\sthe|\ssaid)?(?:\strue)?)\s$/i
const isDirectLine =
  /^(?:thence|thense|then)[,\s]{1,3}(?:(?:back|directly|straight|returning|in\sa\s(?:straight|direct)\sline)[,\s]{0,2})*$/i
const isReferredTo = /\bfrom(?:\sthe|\ssaid)?(?:\strue)?\s(?:point|place)\sof\s$/i
const ofCurve = /\s(?:of|for)\s(?:[\w-]{1,20}\s){0,4}curv/iy
const startOfNextCurve =
  /\b(?:beginning|point)\b[^;]{0,30}$|[;\n]\s?(?:(?:a|non-?|tangent|reverse|compound)[-\s]){0,3}$/i
/** A curve that the previous clause describes. */
const continuedCurve = /thence[^;]{0,150}\bsaid\s(?:[\w-]{1,20}\s){0,3}(?:curve|arc)\b/iy
const side = /(north|south|east|west|[nesw])(?![a-z])(?!\.?[a-z])/iy
const noDirection = /\s(?:line|side|boundary|half|part|edge|quarter|corner|of|or|right)\b/iy
const startOfCall = /(?:^|\n|thence|then|running|runs|;)[\s,:]{0,2}$/i
const isSpecified = /,?\s(?:a|for|along|with|on|parallel|and|at|by|to)\b/iy
const afterNumber = /[\s.]{0,2}(?:$|\n|[,;)]|(?:to|thence|then|along|with|[ns]|north|south|az\w*)(?![a-z]))/iy
const isPassed = /\bat\s$|\bpass(?:ing|es)?\b[^;]{0,30}$/i
/** Not before the same number in figures. */
const unknownUnit = /\s?(?!and\s[^;(]{0,60}\(\d)([a-z]+)/iy
const isFromElsewhere = /\s(?:from|north|south|east|west)/iy
const isTotal = /\b(?:total|all)\b[^;]{0,20}$/i
const word = /[a-z]+/iy
const other = /\d[\d.,]*|[^a-z]/iy
const symbol = /(r|l|a|d|c|ch|lc|cb|cd|∆)\s?[=:]/iy
const symbolLabels: Record<string, Label> = { r: 'radius', l: 'arc', a: 'arc', d: 'delta', '∆': 'delta' }
const compassPoints = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

type DirectionReading = NonNullable<ReturnType<typeof readDirection>>

class DeedReader {
  readonly calls: DeedCall[] = []
  readonly unread: UnreadPassage[] = []
  closing: Span | null = null
  isClosedByLine = false
  private readonly plain: string
  private readonly indexes: readonly number[]
  private readonly isSurveyed: boolean
  /** Unit of the previous length. */
  private unit: LengthUnit = 'ft'
  private clause: Clause = { start: 0, firstCall: 0 }
  /** Number of calls before the point of beginning, if the deed commences elsewhere. */
  private tieCount = 0
  private hasCommencement = false
  /** Null if the previous call could not be read. */
  private exitDegrees: number | null = null

  constructor(text: string) {
    const { plain, indexes } = normalizeText(text)
    this.plain = plain
    this.indexes = indexes
    this.isSurveyed = /survey\sf(?:ee|oo)t/i.test(plain)
    for (let at = 0; at < plain.length; ) at = this.readAt(at)
    this.finish(plain.length)
  }

  private match(pattern: RegExp, at: number) {
    return matchAt(pattern, this.plain, at)
  }

  private before(at: number) {
    return this.plain.slice(Math.max(0, at - 40), at)
  }

  /** In a deed that mentions survey feet, every foot is one. */
  private lengthAt(at: number, unit?: LengthUnit) {
    const reading = readLength(this.plain, at, unit)
    if (reading?.value.unit === 'ft' && this.isSurveyed) {
      const feet = reading.value.meters / lengthUnits.ft.meters
      reading.value = { meters: feet * lengthUnits.usft.meters, unit: 'usft' }
    }
    return reading
  }

  /** Returns where to go on. */
  private readAt(at: number): number {
    const direction = this.directionAt(at)
    if (this.match(thence, at)) this.startThence(at)
    else if (direction) return this.addDirection(at, direction)
    else if (/^(?:[^/]?[\d(]|\W?\.)$/s.test(this.plain.slice(Math.max(0, at - 1), at + 1)))
      return (this.clause.isCurve ? this.addCurveMeasure(at) : this.addLength(at)) ?? this.skip(at)
    else if (this.plain[at] === ';') this.endPart(at)
    else if (this.match(beginning, at)) this.addBeginning(at, beginning.lastIndex)
    else this.addWord(at)
    return this.skip(at)
  }

  private skip(at: number) {
    const match = this.match(word, at) ?? this.match(other, at)
    return at + (match?.[0].length ?? 1)
  }

  private startThence(at: number) {
    const { isAnnounced, span, isNonTangent, turn, concaveDegrees } = this.clause
    if (span && (isAnnounced || (this.clause.isCurve && this.match(continuedCurve, at))))
      Object.assign(this.clause, { isAnnounced: false, isThence: true, label: undefined })
    else {
      this.finish(at)
      Object.assign(this.clause, { isThence: true }, isAnnounced && { isNonTangent, turn, concaveDegrees })
    }
  }

  private endPart(at: number) {
    const { clause } = this
    const isNextLine = this.match(lineWords, at + 1) !== null
    if (clause.isCurve ? !isWholeCurve(clause) || !isNextLine : clause.direction && !hasLength(clause)) return
    this.finish(at + 1)
    this.clause.isThence = isNextLine && !this.closing
  }

  private addBeginning(at: number, end: number) {
    const before = this.before(at)
    const reached = isReached.exec(before)?.[0].length
    const isEnd = reached !== undefined || /p/i.test(this.plain.charAt(at))
    const hasCall = this.calls.length > 0 || this.clause.isThence || this.clause.direction
    if (!isEnd || !hasCall || isReferredTo.test(before) || this.match(ofCurve, end)) {
      this.clause.isPreamble ||= !isEnd
      return
    }
    const isLine = this.isDirectLineTo(at - (reached ?? 0))
    if (isLine) this.clause = { start: end, firstCall: this.calls.length }
    this.finish(end)
    if (this.calls.length === 0 || this.closing) return
    this.isClosedByLine = isLine
    this.closing = this.spanOf({ start: at - (reached ?? 0), end })
    if (this.hasCommencement) this.tieCount = this.calls.length
  }

  private isDirectLineTo(end: number): boolean {
    const { isThence, isCurve, direction, problem, start } = this.clause
    const isPlain = isThence === true && !isCurve && !direction && !problem && this.calls.length > 0
    return isPlain && !this.closing && isDirectLine.test(this.plain.slice(start, end))
  }

  private spanOf({ start, end }: Span): Span {
    const passage = this.plain.slice(start, end)
    const first = end - passage.trimStart().length
    return { start: this.indexes[first] ?? 0, end: this.indexes[start + passage.trimEnd().length] ?? 0 }
  }

  private use(start: number, end: number) {
    this.clause.span = { start: this.clause.span?.start ?? start, end }
  }

  private directionAt(at: number): DirectionReading | null {
    const { isCurve, label } = this.clause
    const isNumber = /[\d(.]/.test(this.plain.charAt(at))
    if (isCurve && isNumber) return null
    const reading = readDirection(this.plain, at)
    if (reading && isNumber && label === 'delta')
      return { message: 'Angles from the previous line are not supported. Type a bearing.', end: reading.end }
    const [, name] = (!reading && this.match(side, at)) || []
    if (name === undefined) return reading
    const end = at + name.length
    const lengthAt = this.match(/[.,\s]{0,2}/y, end)?.[0].length ?? 0
    const length = this.match(noDirection, end) ? null : readLength(this.plain, end + lengthAt)
    const before = this.before(at)
    const isDirection = length
      ? !/(?:\bthe|[^a-z,;&:.])\s$/i.test(before) && !this.match(/\sof\b/iy, length.end)
      : startOfCall.test(before) && !this.match(noDirection, end) && this.match(isSpecified, end)
    return isDirection ? { value: dueDirection(name), end } : null
  }

  private addDirection(at: number, reading: DirectionReading): number {
    const { end } = reading
    if (this.clause.isReference && isStraight(this.clause)) {
      const message = 'Leads to a monument, not along the lot.'
      this.unread.push({ ...this.spanOf({ start: at, end }), message })
      this.clause.isReference = false
      return end
    }
    if (this.addCurveDirection(at, reading)) return end
    const { direction, problem, isCurve, isPreamble, firstCall, spareSpan } = this.clause
    if (direction || problem || isCurve) {
      this.finish(at)
      Object.assign(this.clause, { isPreamble, firstCall })
    } else if (spareSpan && at - spareSpan.end > 25) this.clause.spareLength = undefined
    else if (spareSpan) this.use(spareSpan.start, spareSpan.end)
    if ('value' in reading) this.clause.direction = reading.value
    else this.clause.problem = reading.message
    this.use(at, end)
    return end
  }

  private addCurveDirection(at: number, reading: DirectionReading): boolean {
    const { clause } = this
    const { label, isCurve, chordDirection } = clause
    if (!isCurve || (chordDirection && (!label || label === 'chord')) || (!label && isWholeCurve(clause)))
      return false
    if ('message' in reading) clause.problem ??= reading.message
    else {
      const { azimuthDegrees } = reading.value
      if (label === 'tangent') clause.tangentDegrees ??= azimuthDegrees
      else if (label === 'radius') clause.centerDegrees ??= azimuthDegrees
      else if (label === 'radial') clause.centerDegrees ??= normalizeAzimuth(azimuthDegrees + 180)
      else clause.chordDirection ??= reading.value
    }
    clause.label =
      label === 'tangent' ? undefined : label === 'radius' || label === 'radial' ? 'radius' : 'chord'
    this.use(at, reading.end)
    return true
  }

  private addCurveMeasure(at: number): number | undefined {
    const { clause } = this
    const { label } = clause
    const delta = readDelta(this.plain, at)
    const isLabeled = label === 'radius' || label === 'arc' || label === 'chord'
    const length = delta ? null : this.lengthAt(at, isLabeled ? this.unit : undefined)
    const end = (delta ?? length)?.end
    if (delta) clause.deltaDegrees ??= delta.value
    else if (length && (label === 'radius' || this.match(/[\s-]{1,2}radius/iy, length.end))) {
      if (clause.radius && clause.radius.meters !== length.value.meters)
        clause.problem ??= 'Two radii in one call. Write "thence" between the curves.'
      clause.radius ??= length.value
    } else if (length && isLabeled) clause[label] ??= length.value
    else if (length && !isWholeCurve(clause) && label !== 'tangent') clause.arc ??= length.value
    else return end
    clause.label = undefined
    if (end !== undefined) this.use(at, end)
    return end
  }

  private addLength(at: number): number | undefined {
    const { clause, plain } = this
    const isNext =
      clause.direction &&
      !clause.length &&
      /^[\s,:=-]*(?:a\sdistance\sof\s)?$/i.test(plain.slice(clause.span?.end, at))
    const figures = isNext && this.lengthAt(at, this.unit)
    const reading = figures && this.match(afterNumber, figures.end) ? figures : this.lengthAt(at)
    if (!reading) {
      if (figures) clause.unknownUnit = this.match(unknownUnit, figures.end)?.[1]
      return undefined
    }
    const { value, end } = reading
    const before = this.before(at)
    this.unit = value.unit
    const isWidth = /[^1]\W?foot$/i.test(plain.slice(at, end)) || this.match(/\swide\b/iy, end)
    if (isWidth || clause.unknownUnit || (!isNext && this.match(isFromElsewhere, end))) return end
    if (!clause.direction) {
      clause.spareLength = value
      clause.spareSpan = { start: at, end }
      return end
    }
    if (isPassed.test(before) && !clause.spareLength) clause.spareLength = value
    else if (!clause.length || isTotal.test(before)) clause.length = value
    else return end
    this.use(at, end)
    return end
  }

  private addWord(at: number) {
    const { clause } = this
    const symbolName = this.match(symbol, at)?.[1]?.toLowerCase()
    const text = (this.match(word, at)?.[0] ?? '').toLowerCase()
    const before = this.before(at)
    const turn = turnOf(text, before)
    if (symbolName && (clause.isCurve || /[r∆]/.test(symbolName))) {
      if (symbolName === 'r' && isWholeCurve(clause)) this.finish(at)
      if (!this.clause.isCurve) this.startCurve(at, 'curve')
      this.clause.label = symbolLabels[symbolName] ?? 'chord'
    } else if (/^(?:curve|curvature|curving|arc|radius|chord)$/.test(text)) this.startCurve(at, text)
    else if (/^(?:length|distance)$/.test(text)) clause.label ??= 'arc'
    else if (/^(?:delta|angle|deflect(?:ing|ion)?)$/.test(text)) clause.label = 'delta'
    else if (text === 'radial' || text === 'concave') clause.label = text
    else if (/^tangent(?:ial)?$/.test(text)) {
      if (/\bnot\s$/i.test(before)) clause.isNonTangent = true
      else if (!this.match(/tangent(?:ial)?\s(?:\w+\s)?(?:curve|to|arc)\b/iy, at)) clause.label = 'tangent'
    } else if (turn) {
      if (!this.match(/right[-\s](?:of|angle)/iy, at)) clause.turn ??= turn
    } else if (text === 'spiral' && !isStraight(clause)) clause.problem ??= 'Spiral curves are not supported.'
    else if (/^comm?(?:encing|ences?)?$/.test(text)) {
      this.hasCommencement = true
      clause.isPreamble = true
    } else if (/^(?:from|fr)$/.test(text) && clause.isPreamble) {
      for (const call of this.calls.slice(clause.firstCall)) call.isTie = true
      if (clause.direction) clause.isTie = true
    } else if (text === 'bears') clause.isReference = true
    else this.addCompassPoint(at, text)
  }

  private addCompassPoint(at: number, text: string) {
    const point = compassPoints.indexOf(text.replace(/(?:er)?ly$/, ''))
    if (point < 0) return
    if (this.clause.label === 'concave')
      Object.assign(this.clause, { concaveDegrees: point * 45, label: undefined })
    else if (/ly$|^(?:north|south)(?:east|west)/.test(text)) {
      this.clause.isVague = true
      if (this.match(/[a-z]+\s(?:along|direction)\b/iy, at)) this.clause.vagueDegrees = point * 45
    }
  }

  private startCurve(at: number, text: string) {
    const before = this.before(at)
    const isNext = isWholeCurve(this.clause) && text.startsWith('curv') && startOfNextCurve.test(before)
    if (isStraight(this.clause) || isNext) {
      this.finish(at)
      this.clause.isAnnounced = true
    }
    const { clause } = this
    clause.isCurve = true
    clause.isNonTangent ||= /\bnon[-\s]?tangent(?:ial)?\s(?:[a-z]+\s){0,2}$/i.test(before)
    clause.curveStart ??= at
    clause.chordDirection ??= clause.direction
    clause.direction = undefined
    if (text === 'radius' || text === 'chord' || (text === 'arc' && clause.label !== 'chord'))
      clause.label = text
  }

  /** Adds the call of the clause, or reports it. */
  private finish(at: number) {
    const { clause } = this
    this.clause = { start: at, firstCall: this.calls.length }
    const result = callOf(clause, this.exitDegrees)
    if (!result) return
    const isPassage = clause.isThence && typeof result === 'string'
    const { start, end } = (!isPassage && clause.span) || { start: clause.start, end: at }
    const span = this.spanOf({ start: Math.min(start, clause.curveStart ?? start), end })
    if (typeof result === 'string') {
      this.unread.push({ ...span, message: result })
      this.exitDegrees = null
    } else this.add({ ...result, ...span, isTie: clause.isTie ?? false })
  }

  private add(call: DeedCall) {
    if (this.closing && this.tieCount > 0) {
      for (const tie of this.calls.slice(0, this.tieCount)) tie.isTie = true
      this.tieCount = 0
      this.hasCommencement = false
      this.closing = null
      this.isClosedByLine = false
    }
    // The tie is not drawn, so a curve that is tangent to it needs a chord bearing.
    if (this.calls.at(-1)?.isTie && call.call.kind === 'curve')
      call.call.chordAzimuthDegrees = chordAzimuthDegrees(call.call, this.exitDegrees ?? 0)
    const message = 'Belongs to another description. Read it separately.'
    if (this.closing && this.unread.at(-1)?.message === message)
      (this.unread.at(-1) as UnreadPassage).end = call.end
    else if (this.closing) this.unread.push({ start: call.start, end: call.end, message })
    else this.calls.push(call)
    this.exitDegrees = exitAzimuthDegrees(call.call, this.exitDegrees ?? 0)
  }
}

function turnOf(text: string, before: string): Clause['turn'] {
  const isTo = /\bto(?:\sthe)?\s$/i.test(before)
  if (text === 'clockwise') return /counter[-\s]$/i.test(before) ? 'left' : 'right'
  if (/^(?:left|lt|counterclockwise)$/.test(text) || (text === 'l' && isTo)) return 'left'
  return /^(?:right|rt)$/.test(text) || (text === 'r' && isTo) ? 'right' : undefined
}
