import { z } from 'zod'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import { type Geometry, geometry as geometrySchema, type Position } from '#domain/geometry/geometry.schema.ts'
import { day } from '#domain/values/common.schema.ts'
import { foldCase, isStorableText } from '#domain/values/text.ts'
import type { PatternPart } from '../database/database.ts'
import { type Comparison, type Cql2, evaluate, type Scalar, type ValueType } from './cql2.ts'

// CQL2 text (OGC 21-065r2, annex B) as far as we declare it, by recursive descent.

export const maxFilterLength = 4_000
/** Of parentheses, NOT and CASEI within each other. */
export const maxFilterDepth = 32
/** Characters of a pattern of LIKE: the databases compare each value with it, at a cost of its length times the value's. */
export const maxPatternLength = 200

/** `character` counts from 1. */
export class Cql2Error extends Error {
  constructor(what: string, character: number) {
    super(`${what}, at character ${character}`)
  }
}

export type Grounds = {
  /** What can be filtered by. */
  properties: ReadonlyMap<string, ValueType>
  /** What the geometry is called. */
  geometry: string
  /** From the reference system of the filter; undefined where there is no such place. */
  toLngLat(x: number, y: number): Position | undefined
  /** The areas of a box in the order of its reference system; undefined where there is no such box. */
  areasOfBox(corners: readonly number[]): readonly Geometry[] | undefined
}

/** Throws a `Cql2Error`. */
export function parseCql2(text: string, grounds: Grounds): Cql2 {
  if (text.length > maxFilterLength)
    throw new Cql2Error(`must be ${maxFilterLength} characters at most`, maxFilterLength + 1)
  return new Parser(readTokens(text), grounds).parse()
}

type Token = { is: 'word' | 'quoted' | 'text' | 'number' | 'sign' | 'end'; text: string; at: number }

/** Names may hold dots, as ours do; what else is odd about a name needs quotation marks. */
const tokenPattern =
  /(?<word>[\p{L}_:][\p{L}\p{N}_:.]*)|"(?<quoted>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|(?<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<sign><>|<=|>=|[=<>(),])/uy

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  let index = 0
  for (;;) {
    index += /^\s*/.exec(text.slice(index))?.[0].length ?? 0
    const at = index + 1
    if (index === text.length) return [...tokens, { is: 'end', text: '', at }]
    tokenPattern.lastIndex = index
    const { groups, 0: whole = '' } = tokenPattern.exec(text) ?? {}
    const [kind, said] = Object.entries(groups ?? {}).find(([, said]) => said !== undefined) ?? []
    if (kind === undefined || said === undefined) throw new Cql2Error(whatIsOdd(text.slice(index)), at)
    if (!isStorableText(said)) throw new Cql2Error('must be well-formed text without NUL', at)
    const quote = kind === 'text' ? "'" : kind === 'quoted' ? '"' : null
    tokens.push({
      is: kind as Token['is'],
      text: quote ? said.replaceAll(quote + quote, quote) : said,
      at,
    })
    index += whole.length
  }
}

function whatIsOdd(rest: string): string {
  if (rest.startsWith("'")) return "has a text without an end: ' is written twice within one"
  if (rest.startsWith('"')) return 'has a name without an end'
  return `has ${JSON.stringify([...rest][0])}, which means nothing here`
}

const reserved = ['and', 'or', 'not', 'is', 'null', 'in', 'like', 'between', 'true', 'false']
const comparisons = ['=', '<>', '<', '>', '<=', '>=']
const turned: Record<Comparison, Comparison> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}
const article: Record<ValueType, string> = {
  text: 'text',
  number: 'a number',
  flag: 'TRUE or FALSE',
  day: "a date, DATE('2026-05-31')",
  instant: "an instant, TIMESTAMP('2026-05-31T08:30:00Z')",
}
const dayMs = 86_400_000
const instantWithOffset = z.iso.datetime({ offset: true })

class Parser {
  private readonly tokens: readonly Token[]
  private readonly grounds: Grounds
  private index = 0
  private depth = 0

  constructor(tokens: readonly Token[], grounds: Grounds) {
    this.tokens = tokens
    this.grounds = grounds
  }

  parse(): Cql2 {
    const filter = this.readAny()
    if (this.next.is !== 'end') throw this.unexpected('AND, OR or the end')
    return filter
  }

  private readAny(): Cql2 {
    return this.readChain('or', () => this.readChain('and', () => this.readNot()))
  }

  private readChain(word: 'and' | 'or', read: () => Cql2): Cql2 {
    const all = [read()]
    while (this.takeWord(word)) all.push(read())
    const [only] = all
    return all.length === 1 && only ? only : { is: word, of: all }
  }

  private readNot(): Cql2 {
    const { at } = this.next
    if (!this.takeWord('not')) return this.readOne()
    return { is: 'not', of: this.deeper(at, () => this.readNot()) }
  }

  private readOne(): Cql2 {
    const { at } = this.next
    if (this.takeSign('(')) {
      const filter = this.deeper(at, () => this.readAny())
      this.demandSign(')')
      return filter
    }
    if (this.isCall('s_intersects')) return this.readMeeting()
    if (this.isWord('true') || this.isWord('false')) {
      const following = this.tokens[this.index + 1]
      if (!comparisons.includes(following?.text ?? ''))
        return { is: 'fixed', value: this.take().text.toLowerCase() === 'true' }
    }
    if (this.isGeometry()) return this.readGeometryIsNull()
    return this.readComparison()
  }

  private isGeometry = () =>
    ['word', 'quoted'].includes(this.next.is) && this.next.text === this.grounds.geometry

  /** Every feature has one. */
  private readGeometryIsNull(): Cql2 {
    this.take()
    if (!this.takeWord('is')) throw this.unexpected('IS: a geometry goes into S_INTERSECTS(…)')
    const isNot = this.takeWord('not')
    this.demandWord('null')
    return { is: 'fixed', value: isNot }
  }

  private readComparison(): Cql2 {
    const { at } = this.next
    const left = this.readScalar()
    if (this.takeWord('is')) {
      const isNot = this.takeWord('not')
      this.demandWord('null')
      return unless(isNot, known({ is: 'null', of: left }))
    }
    if (this.next.is === 'sign' && comparisons.includes(this.next.text)) {
      const how = this.take().text as Comparison
      const { at: rightAt } = this.next
      return this.compare(how, left, this.readScalar(), { at, rightAt })
    }
    const isNot = this.takeWord('not')
    if (this.takeWord('like')) return unless(isNot, this.readLike(left, at))
    if (this.takeWord('between')) return unless(isNot, this.readBetween(left, at))
    if (this.takeWord('in')) return unless(isNot, this.readIn(left, at))
    throw this.unexpected(isNot ? 'LIKE, BETWEEN or IN' : 'a comparison, IS NULL, LIKE, BETWEEN or IN')
  }

  private readBetween(left: Scalar, at: number): Cql2 {
    const leastAt = this.next.at
    const least = this.compare('>=', left, this.readScalar(), { at, rightAt: leastAt })
    this.demandWord('and')
    const mostAt = this.next.at
    return { is: 'and', of: [least, this.compare('<=', left, this.readScalar(), { at, rightAt: mostAt })] }
  }

  private readIn(left: Scalar, at: number): Cql2 {
    this.demandSign('(')
    const all: Cql2[] = []
    do {
      const rightAt = this.next.at
      all.push(this.compare('=', left, this.readScalar(), { at, rightAt }))
    } while (this.takeSign(','))
    this.demandSign(')')
    // One question of the database rather than thousands within each other.
    const values = all.map((one) => (one.is === '=' && one.left === left ? one.right : undefined))
    if (values.every((value) => value !== undefined)) return { is: 'in', of: left, values }
    return { is: 'or', of: all }
  }

  private readLike(left: Scalar, at: number): Cql2 {
    if (left.type !== 'text') throw new Cql2Error(`LIKE is for text, not for ${article[left.type]}`, at)
    const isFolded = this.isCall('casei')
    if (isFolded) {
      this.take()
      this.take()
    }
    const { is, text, at: patternAt } = this.next
    if (is !== 'text') throw this.unexpected("a pattern in quotation marks, such as 'Lot %'")
    this.take()
    if (isFolded) this.demandSign(')')
    return known({ is: 'like', of: left, pattern: readPattern(text, isFolded, patternAt) })
  }

  private readScalar(): Scalar {
    const { is, text, at } = this.next
    if (this.isCall('casei')) {
      this.take()
      this.take()
      const of = this.deeper(at, () => this.readScalar())
      if (of.type !== 'text') throw new Cql2Error(`CASEI is for text, not for ${article[of.type]}`, at)
      this.demandSign(')')
      if (of.is === 'fixed') return { ...of, value: foldCase(String(of.value)) }
      return { is: 'folded', of, type: 'text' }
    }
    if (this.isCall('date') || this.isCall('timestamp')) return this.readDate()
    if (is === 'word' && this.tokens[this.index + 1]?.text === '(')
      throw new Cql2Error(`has the function ${text}, which is not known here`, at)
    if (this.isWord('true') || this.isWord('false')) {
      this.take()
      return { is: 'fixed', value: text.toLowerCase() === 'true', type: 'flag' }
    }
    if (is === 'quoted' || (is === 'word' && !reserved.includes(text.toLowerCase()))) {
      this.take()
      const type = this.grounds.properties.get(text)
      if (type === undefined) throw new Cql2Error(`has ‘${text}’, which cannot be filtered by`, at)
      return { is: 'property', name: text, type }
    }
    if (is === 'text') {
      this.take()
      return { is: 'fixed', value: text, type: 'text' }
    }
    if (is === 'number') return { is: 'fixed', value: this.readNumber(), type: 'number' }
    throw this.unexpected('the name of a property, or a value')
  }

  private readNumber(): number {
    const { is, text, at } = this.next
    const number = Number(text)
    if (is !== 'number' || !Number.isFinite(number)) throw this.unexpected('a number')
    if (Math.abs(number) > 1e300) throw new Cql2Error('has a number that is too large', at)
    this.take()
    return number
  }

  private readDate(): Scalar {
    const { text: name } = this.take()
    this.demandSign('(')
    const { is, text, at } = this.next
    if (is !== 'text') throw this.unexpected('a text in quotation marks')
    this.take()
    this.demandSign(')')
    const type = name.toLowerCase() === 'date' ? 'day' : 'instant'
    const value = readTime(text, type)
    if (value === undefined) throw new Cql2Error(`has ‘${text}’, which must be ${article[type]}`, at)
    return { is: 'fixed', value, type }
  }

  private compare(
    how: Comparison,
    left: Scalar,
    right: Scalar,
    { at, rightAt }: { at: number; rightAt: number },
  ): Cql2 {
    if (left.is === 'fixed' && right.is !== 'fixed')
      return this.compare(turned[how], right, left, { at: rightAt, rightAt: at })
    const said = right.is === 'fixed' ? this.inTypeOf(left, right, rightAt) : right
    if (left.type === 'instant' && said.is === 'fixed' && said.type === 'day')
      return compareWithDay(how, left, String(said.value))
    if (left.type !== said.type)
      throw new Cql2Error(`has ${article[said.type]} where it must be ${article[left.type]}`, rightAt)
    if (left.type === 'flag' && how !== '=' && how !== '<>')
      throw new Cql2Error(`${how} is not for TRUE or FALSE`, at)
    return known({ is: how, left, right: said })
  }

  /** Some programs write dates as text. */
  private inTypeOf({ type }: Scalar, right: Scalar & { is: 'fixed' }, at: number): Scalar {
    if (right.type !== 'text' || (type !== 'day' && type !== 'instant')) return right
    const text = String(right.value)
    const asDay = readTime(text, 'day')
    if (asDay !== undefined) return { is: 'fixed', value: asDay, type: 'day' }
    const value = readTime(text, type)
    if (value === undefined) throw new Cql2Error(`has ‘${text}’, which must be ${article[type]}`, at)
    return { is: 'fixed', value, type }
  }

  private readMeeting(): Cql2 {
    const { at } = this.next
    this.take()
    this.take()
    let geometries: readonly Geometry[] | undefined
    if (this.isGeometry()) {
      this.take()
      this.demandSign(',')
      geometries = this.readGeometries()
    } else {
      geometries = this.readGeometries()
      this.demandSign(',')
      if (!this.isGeometry()) throw this.unexpected(this.grounds.geometry)
      this.take()
    }
    this.demandSign(')')
    for (const geometry of geometries) {
      const fault = findGeometryFault(geometry)
      if (fault) throw new Cql2Error(`has a shape that ${fault.what}`, at)
    }
    return { is: 'meets', geometries }
  }

  /** WKT, or a box. */
  private readGeometries(): readonly Geometry[] {
    const { is, text, at } = this.next
    const word = is === 'word' ? text.toLowerCase() : ''
    if (word === 'bbox') {
      this.take()
      const corners = this.readList(() => this.readNumber())
      const areas =
        corners.length === 4 || corners.length === 6 ? this.grounds.areasOfBox(corners) : undefined
      if (!areas) throw new Cql2Error('has a BBOX that is none: four numbers, the lower ones first', at)
      return areas
    }
    const reading = wktReadings[word]
    if (!reading) throw this.unexpected(`${this.grounds.geometry}, BBOX(…) or a shape, such as POINT(1 2)`)
    this.take()
    if (['z', 'm', 'zm'].includes(this.next.text.toLowerCase())) this.take()
    const coordinates = this.readCoordinates(reading.depth, word === 'multipoint')
    const { data, error } = geometrySchema.safeParse({ type: reading.type, coordinates })
    if (error) throw new Cql2Error(`has a ${text} that is none: ${error.issues[0]?.message ?? ''}`, at)
    return [data]
  }

  private readCoordinates(depth: number, isOfPoints = false): unknown {
    if (depth > 0)
      return this.readList(() =>
        isOfPoints && this.next.text === '(' ? this.readCoordinates(0) : this.readInner(depth - 1),
      )
    this.demandSign('(')
    const position = this.readPosition()
    this.demandSign(')')
    return position
  }

  private readInner(depth: number): unknown {
    return depth === 0 ? this.readPosition() : this.readCoordinates(depth)
  }

  private readPosition(): Position {
    const { at } = this.next
    const [x, y] = [this.readNumber(), this.readNumber()]
    // Heights count for nothing.
    for (let more = 0; more < 2 && this.next.is === 'number'; more++) this.take()
    const position = this.grounds.toLngLat(x, y)
    if (!position) throw new Cql2Error('has a position that is nowhere on earth', at)
    return position
  }

  private readList<Item>(read: () => Item): Item[] {
    this.demandSign('(')
    const items = [read()]
    while (this.takeSign(',')) items.push(read())
    this.demandSign(')')
    return items
  }

  private get next(): Token {
    return this.tokens[this.index] as Token
  }

  private take(): Token {
    const token = this.next
    if (token.is !== 'end') this.index++
    return token
  }

  private isWord = (word: string) => this.next.is === 'word' && this.next.text.toLowerCase() === word
  private isCall = (name: string) => this.isWord(name) && this.tokens[this.index + 1]?.text === '('

  private takeWord(word: string): boolean {
    const isThere = this.isWord(word)
    if (isThere) this.take()
    return isThere
  }

  private takeSign(sign: string): boolean {
    const isThere = this.next.is === 'sign' && this.next.text === sign
    if (isThere) this.take()
    return isThere
  }

  private demandWord(word: string) {
    if (!this.takeWord(word)) throw this.unexpected(word.toUpperCase())
  }

  private demandSign(sign: string) {
    if (!this.takeSign(sign)) throw this.unexpected(sign)
  }

  private deeper<Result>(at: number, read: () => Result): Result {
    if (this.depth === maxFilterDepth)
      throw new Cql2Error(`must not be more than ${maxFilterDepth} levels deep`, at)
    this.depth++
    const result = read()
    this.depth--
    return result
  }

  private unexpected(wanted: string): Cql2Error {
    const { is, text, at } = this.next
    return new Cql2Error(`must have ${wanted} in place of ${is === 'end' ? 'the end' : `‘${text}’`}`, at)
  }
}

/** How deep the positions of each stand in lists. */
const wktReadings: Readonly<Record<string, { type: Geometry['type']; depth: number }>> = {
  __proto__: null as never,
  point: { type: 'Point', depth: 0 },
  multipoint: { type: 'MultiPoint', depth: 1 },
  linestring: { type: 'LineString', depth: 1 },
  multilinestring: { type: 'MultiLineString', depth: 2 },
  polygon: { type: 'Polygon', depth: 2 },
  multipolygon: { type: 'MultiPolygon', depth: 3 },
}

const unless = (isNot: boolean, filter: Cql2): Cql2 => (isNot ? { is: 'not', of: filter } : filter)

/** What asks nothing of the feature has its answer now. */
function known(filter: Cql2 & ({ left: Scalar } | { is: 'like' | 'null' })): Cql2 {
  const of = 'left' in filter ? filter.left : filter.of
  if (of.is !== 'fixed') return filter
  const nowhere: Geometry = { type: 'Point', coordinates: [0, 0] }
  return { is: 'fixed', value: evaluate(filter, { values: {}, geometry: nowhere }) === true }
}

function readTime(text: string, type: 'day' | 'instant'): string | number | undefined {
  if (type === 'day') return day.safeParse(text).success ? text : undefined
  return instantWithOffset.safeParse(text).success ? Date.parse(text) : undefined
}

/** A day is all of its instants, in UTC. */
function compareWithDay(how: Comparison, left: Scalar, text: string): Cql2 {
  const begin = Date.parse(text)
  const at = (how: Comparison, value: number) =>
    known({ is: how, left, right: { is: 'fixed', value, type: 'instant' } })
  const isOnDay: Cql2 = { is: 'and', of: [at('>=', begin), at('<', begin + dayMs)] }
  switch (how) {
    case '=':
      return isOnDay
    case '<>':
      return { is: 'not', of: isOnDay }
    case '<':
      return at('<', begin)
    case '>=':
      return at('>=', begin)
    case '<=':
      return at('<', begin + dayMs)
    case '>':
      return at('>=', begin + dayMs)
  }
}

/** % is any characters, _ is one, and what follows \ is itself. */
function readPattern(text: string, isFolded: boolean, at: number): PatternPart[] {
  if (text.length > maxPatternLength)
    throw new Cql2Error(`has a pattern of more than ${maxPatternLength} characters`, at)
  const parts: PatternPart[] = []
  let plain = ''
  const endPlain = () => {
    if (plain !== '') parts.push({ is: 'text', text: isFolded ? foldCase(plain) : plain })
    plain = ''
  }
  const characters = [...text]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]
    if (character === '%' || character === '_') {
      endPlain()
      // Several in a row mean the same as one.
      if (character === '_' || parts.at(-1)?.is !== 'any')
        parts.push({ is: character === '%' ? 'any' : 'one' })
    } else if (character === '\\') {
      index++
      if (index === characters.length)
        throw new Cql2Error('has a pattern that ends with \\: write \\\\ for itself', at)
      plain += characters[index]
    } else plain += character
  }
  endPlain()
  return parts
}
