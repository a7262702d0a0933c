import { z } from 'zod'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import { type Geometry, geometry as geometrySchema, type Position } from '#domain/geometry/geometry.schema.ts'
import { day } from '#domain/values/common.schema.ts'
import { foldCase } from '#domain/values/text.ts'
import type { PatternPart } from '../database/database.ts'
import { type Comparison, type Cql2, evaluate, type Scalar, type ValueType } from './cql2.ts'
import { Cql2Error, TokenReader } from './cql2-tokens.ts'
import { geometryName } from './properties.ts'
import { areasOfBox, type ReferenceSystem, toPosition } from './reference-systems.ts'

export const maxFilterLength = 4_000
/** Characters: a comparison takes databases time proportional to this length times that of the value. */
export const maxPatternLength = 200

export type FilterContext = {
  properties: ReadonlyMap<string, { type: ValueType }>
  system: ReferenceSystem
}

/** Parses CQL2 text (OGC 21-065r2, annex B) by recursive descent. Throws a `Cql2Error`. */
export function parseCql2(text: string, context: FilterContext): Cql2 {
  if (text.length > maxFilterLength)
    throw new Cql2Error(`must have at most ${maxFilterLength} characters`, maxFilterLength + 1)
  return new Parser(new TokenReader(text), context).parse()
}

const reserved = ['and', 'or', 'not', 'is', 'null', 'in', 'like', 'between', 'true', 'false']
const comparisons: readonly string[] = ['=', '<>', '<', '>', '<=', '>=']
const mirrored: Record<Comparison, Comparison> = {
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

class Parser {
  private readonly tokens: TokenReader
  private readonly context: FilterContext

  constructor(tokens: TokenReader, context: FilterContext) {
    this.tokens = tokens
    this.context = context
  }

  parse(): Cql2 {
    const filter = this.readAny()
    if (this.tokens.next.is !== 'end') throw this.tokens.unexpected('AND, OR or the end')
    return filter
  }

  private readAny(): Cql2 {
    return this.readChain('or', () => this.readChain('and', () => this.readNot()))
  }

  private readChain(word: 'and' | 'or', read: () => Cql2): Cql2 {
    const all = [read()]
    while (this.tokens.takeWord(word)) all.push(read())
    const [only] = all
    return all.length === 1 && only ? only : { is: word, of: all }
  }

  private readNot(): Cql2 {
    const { at } = this.tokens.next
    if (!this.tokens.takeWord('not')) return this.readOne()
    return { is: 'not', of: this.tokens.nest(at, () => this.readNot()) }
  }

  private readOne(): Cql2 {
    const { tokens } = this
    const { at } = tokens.next
    if (tokens.takeSign('(')) {
      const filter = tokens.nest(at, () => this.readAny())
      tokens.demandSign(')')
      return filter
    }
    if (tokens.takeCall('s_intersects')) return this.readIntersects()
    const isFlag = tokens.isWord('true') || tokens.isWord('false')
    if (isFlag && !comparisons.includes(tokens.textAfterNext ?? ''))
      return { is: 'fixed', value: tokens.take().text.toLowerCase() === 'true' }
    return this.takeGeometryName() ? this.readGeometryIsNull() : this.readComparison()
  }

  private readIntersects(): Cql2 {
    const { tokens } = this
    const isFirst = this.takeGeometryName()
    if (isFirst) tokens.demandSign(',')
    const geometries = readShapes(tokens, this.context.system)
    if (!isFirst) {
      tokens.demandSign(',')
      if (!this.takeGeometryName()) throw tokens.unexpected(geometryName)
    }
    tokens.demandSign(')')
    return { is: 'meets', geometries }
  }

  private takeGeometryName(): boolean {
    const { is, text } = this.tokens.next
    const isNext = (is === 'word' || is === 'quoted') && text === geometryName
    if (isNext) this.tokens.take()
    return isNext
  }

  private readGeometryIsNull(): Cql2 {
    if (!this.tokens.takeWord('is')) throw this.tokens.unexpected('IS: a geometry goes into S_INTERSECTS(…)')
    const isNot = this.tokens.takeWord('not')
    this.tokens.demandWord('null')
    return { is: 'fixed', value: isNot }
  }

  private readComparison(): Cql2 {
    const { tokens } = this
    const { at } = tokens.next
    const scalar = this.readScalar()
    if (tokens.takeWord('is')) {
      const isNot = tokens.takeWord('not')
      tokens.demandWord('null')
      return negateIf(isNot, simplify({ is: 'null', of: scalar }))
    }
    if (tokens.next.is === 'sign' && comparisons.includes(tokens.next.text))
      return this.compareWithNext(tokens.take().text as Comparison, scalar, at)
    const isNot = tokens.takeWord('not')
    if (tokens.takeWord('like')) return negateIf(isNot, this.readLike(scalar, at))
    if (tokens.takeWord('between')) return negateIf(isNot, this.readBetween(scalar, at))
    if (tokens.takeWord('in')) return negateIf(isNot, this.readIn(scalar, at))
    throw tokens.unexpected(isNot ? 'LIKE, BETWEEN or IN' : 'a comparison, IS NULL, LIKE, BETWEEN or IN')
  }

  private readBetween(left: Scalar, at: number): Cql2 {
    const least = this.compareWithNext('>=', left, at)
    this.tokens.demandWord('and')
    return { is: 'and', of: [least, this.compareWithNext('<=', left, at)] }
  }

  private readIn(left: Scalar, at: number): Cql2 {
    const all = this.tokens.demandList(() => this.compareWithNext('=', left, at))
    // A single condition of the database instead of thousands of nested ones.
    const values = all.map((one) => (one.is === '=' && one.left === left ? one.right : undefined))
    if (values.every((value) => value !== undefined)) return { is: 'in', of: left, values }
    return { is: 'or', of: all }
  }

  private readLike(left: Scalar, at: number): Cql2 {
    const { tokens } = this
    if (left.type !== 'text') throw new Cql2Error(`LIKE requires text instead of ${article[left.type]}`, at)
    const isFolded = tokens.takeCall('casei')
    const { at: patternAt } = tokens.next
    const text = tokens.demandText("a pattern in quotation marks, such as 'Lot %'")
    if (isFolded) tokens.demandSign(')')
    return simplify({ is: 'like', of: left, pattern: readPattern(text, isFolded, patternAt) })
  }

  private readScalar(): Scalar {
    const { tokens } = this
    const { is, text, at } = tokens.next
    if (tokens.takeCall('casei')) {
      const of = tokens.nest(at, () => this.readScalar())
      if (of.type !== 'text') throw new Cql2Error(`CASEI requires text instead of ${article[of.type]}`, at)
      tokens.demandSign(')')
      if (of.is === 'fixed') return { ...of, value: foldCase(String(of.value)) }
      return { is: 'folded', of, type: 'text' }
    }
    if (tokens.takeCall('date')) return this.readTimeLiteral('day')
    if (tokens.takeCall('timestamp')) return this.readTimeLiteral('instant')
    if (is === 'word' && tokens.textAfterNext === '(')
      throw new Cql2Error(`has the function ${text}, which is not supported`, at)
    if (is === 'number') return { is: 'fixed', value: tokens.demandNumber(), type: 'number' }
    const isFlag = tokens.isWord('true') || tokens.isWord('false')
    const isName = is === 'quoted' || (is === 'word' && !reserved.includes(text.toLowerCase()))
    if (!isFlag && !isName && is !== 'text') throw tokens.unexpected('the name of a property, or a value')
    tokens.take()
    if (is === 'text') return { is: 'fixed', value: text, type: 'text' }
    if (isFlag) return { is: 'fixed', value: text.toLowerCase() === 'true', type: 'flag' }
    const type = this.context.properties.get(text)?.type
    if (type === undefined) throw new Cql2Error(`has ‘${text}’, which filters do not support`, at)
    return { is: 'property', name: text, type }
  }

  private readTimeLiteral(type: 'day' | 'instant'): Scalar {
    const { at } = this.tokens.next
    const text = this.tokens.demandText('text in quotation marks')
    this.tokens.demandSign(')')
    return timeScalar(text, type, at)
  }

  private compareWithNext(operator: Comparison, left: Scalar, at: number): Cql2 {
    const { at: rightAt } = this.tokens.next
    return compare(operator, left, this.readScalar(), { at, rightAt })
  }
}

function compare(
  operator: Comparison,
  left: Scalar,
  right: Scalar,
  { at, rightAt }: { at: number; rightAt: number },
): Cql2 {
  if (left.is === 'fixed' && right.is !== 'fixed')
    return compare(mirrored[operator], right, left, { at: rightAt, rightAt: at })
  const value = right.is === 'fixed' ? textAsTime(left, right, rightAt) : right
  if (left.type === 'instant' && value.is === 'fixed' && value.type === 'day')
    return compareWithDay(operator, left, String(value.value))
  if (left.type !== value.type)
    throw new Cql2Error(`has ${article[value.type]} where it must be ${article[left.type]}`, rightAt)
  if (left.type === 'flag' && operator !== '=' && operator !== '<>')
    throw new Cql2Error(`${operator} does not support TRUE or FALSE`, at)
  return simplify({ is: operator, left, right: value })
}

/** Some programs write dates as text. */
function textAsTime({ type }: Scalar, right: Scalar & { is: 'fixed' }, at: number): Scalar {
  if (right.type !== 'text' || (type !== 'day' && type !== 'instant')) return right
  const text = String(right.value)
  return readTime(text, 'day') === undefined ? timeScalar(text, type, at) : timeScalar(text, 'day', at)
}

function timeScalar(text: string, type: 'day' | 'instant', at: number): Scalar {
  const value = readTime(text, type)
  if (value === undefined) throw new Cql2Error(`has ‘${text}’, which must be ${article[type]}`, at)
  return { is: 'fixed', value, type }
}

const instantWithOffset = z.iso.datetime({ offset: true })

function readTime(text: string, type: 'day' | 'instant'): string | number | undefined {
  if (type === 'day') return day.safeParse(text).success ? text : undefined
  return instantWithOffset.safeParse(text).success ? Date.parse(text) : undefined
}

const dayMs = 86_400_000

/** A day covers all of its instants, in UTC. */
function compareWithDay(operator: Comparison, left: Scalar, text: string): Cql2 {
  const begin = Date.parse(text)
  const at = (operator: Comparison, value: number) =>
    simplify({ is: operator, left, right: { is: 'fixed', value, type: 'instant' } })
  const isOnDay: Cql2 = { is: 'and', of: [at('>=', begin), at('<', begin + dayMs)] }
  switch (operator) {
    case '=':
      return isOnDay
    case '<>':
      return { is: 'not', of: isOnDay }
    case '<':
    case '>=':
      return at(operator, begin)
    case '<=':
      return at('<', begin + dayMs)
    case '>':
      return at('>=', begin + dayMs)
  }
}

const negateIf = (isNot: boolean, filter: Cql2): Cql2 => (isNot ? { is: 'not', of: filter } : filter)

function simplify(filter: Cql2 & ({ left: Scalar } | { is: 'like' | 'null' })): Cql2 {
  const of = 'left' in filter ? filter.left : filter.of
  if (of.is !== 'fixed') return filter
  const anywhere: Geometry = { type: 'Point', coordinates: [0, 0] }
  return { is: 'fixed', value: evaluate(filter, { values: {}, geometry: anywhere }) === true }
}

/** % matches any characters, _ one; \ escapes. */
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
      if (character === '_' || parts.at(-1)?.is !== 'any')
        parts.push({ is: character === '%' ? 'any' : 'one' })
    } else if (character === '\\') {
      index++
      if (index === characters.length)
        throw new Cql2Error('has a pattern that ends with \\. Write \\\\ for a backslash', at)
      plain += characters[index]
    } else plain += character
  }
  endPlain()
  return parts
}

/** `depth` counts the nested lists around a position. */
const wktTypes: Readonly<Record<string, { type: Geometry['type']; depth: number }>> = {
  __proto__: null as never,
  point: { type: 'Point', depth: 0 },
  multipoint: { type: 'MultiPoint', depth: 1 },
  linestring: { type: 'LineString', depth: 1 },
  multilinestring: { type: 'MultiLineString', depth: 2 },
  polygon: { type: 'Polygon', depth: 2 },
  multipolygon: { type: 'MultiPolygon', depth: 3 },
}

function readShapes(tokens: TokenReader, system: ReferenceSystem): readonly Geometry[] {
  const { is, text, at } = tokens.next
  const word = is === 'word' ? text.toLowerCase() : ''
  if (tokens.takeWord('bbox')) {
    const corners = tokens.demandList(() => tokens.demandNumber())
    const areas = [4, 6].includes(corners.length) ? areasOfBox(system, corners) : undefined
    if (!areas) throw new Cql2Error('has an invalid BBOX: must be four numbers, lower values first', at)
    return areas
  }
  const wkt = wktTypes[word]
  if (!wkt) throw tokens.unexpected(`${geometryName}, BBOX(…) or a shape, such as POINT(1 2)`)
  tokens.take()
  if (['z', 'm', 'zm'].includes(tokens.next.text.toLowerCase())) tokens.take()
  const coordinates = readCoordinates(wkt.depth, word === 'multipoint')
  const { data, error } = geometrySchema.safeParse({ type: wkt.type, coordinates })
  if (error) throw new Cql2Error(`has an invalid ${text}: ${error.issues[0]?.message ?? ''}`, at)
  const fault = findGeometryFault(data)
  if (fault) throw new Cql2Error(`has a shape that ${fault.what}`, at)
  return [data]

  function readCoordinates(depth: number, hasPoints = false): unknown {
    if (depth === 0) {
      tokens.demandSign('(')
      const position = readPosition()
      tokens.demandSign(')')
      return position
    }
    return tokens.demandList(() => {
      if (hasPoints && tokens.next.text === '(') return readCoordinates(0)
      return depth === 1 ? readPosition() : readCoordinates(depth - 1)
    })
  }

  function readPosition(): Position {
    const { at } = tokens.next
    const position = toPosition(system, tokens.demandNumber(), tokens.demandNumber())
    for (let more = 0; more < 2 && tokens.next.is === 'number'; more++) tokens.take()
    if (!position) throw new Cql2Error('has a position outside of the earth', at)
    return position
  }
}
