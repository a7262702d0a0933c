import { type Expression, sql } from 'kysely'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import type { Condition, Database } from '../database/database.ts'
import { fillsItsExtent } from '../geometry/extents.ts'
import type { Cql2, Scalar } from './cql2.ts'
import type { Property } from './properties.ts'

/** Columns with an index on their values (FeaturesTable). */
const leadingColumns = ['id', 'parcel_id']

export function isLedByIndex(filter: Cql2, properties: ReadonlyMap<string, Property>): boolean {
  switch (filter.is) {
    case 'and':
      return filter.of.some((one) => isLedByIndex(one, properties))
    case '=':
      return isLeading(filter.left) && filter.right.is === 'fixed'
    default:
      return false
  }

  function isLeading(scalar: Scalar): boolean {
    const source = scalar.is === 'property' ? properties.get(scalar.name)?.source : undefined
    return source !== undefined && 'column' in source && leadingColumns.includes(source.column)
  }
}

export function conditionOf(
  { dialect }: Database,
  mapId: string,
  filter: Cql2,
  properties: ReadonlyMap<string, Property>,
): Condition {
  return write(filter)

  function write(filter: Cql2): Condition {
    switch (filter.is) {
      case 'fixed':
        return filter.value ? sql`(1 = 1)` : sql`(1 = 0)`
      case 'and':
      case 'or':
        return sql`(${sql.join(filter.of.map(write), sql.raw(` ${filter.is} `))})`
      case 'not':
        return sql`(not ${write(filter.of)})`
      case 'null':
        return sql`(${writeScalar(filter.of)} is null)`
      case 'in':
        return sql`(${writeScalar(filter.of)} in (${sql.join(filter.values.map(writeScalar))}))`
      case 'like':
        return dialect.isLike(writeScalar(filter.of), filter.pattern)
      case 'meets':
        return sql`(${sql.join(filter.geometries.map(writeMeeting), sql` or `)})`
      default:
        return sql`(${writeScalar(filter.left)} ${sql.raw(filter.is)} ${writeScalar(filter.right)})`
    }
  }

  /** Features whose extent is within the box match; only those at its edges need their geometries. */
  function writeMeeting(geometry: Geometry): Condition {
    const extent = extentOfGeometry(geometry)
    const meets = dialect.meets(mapId, extent, geometry)
    if (!fillsItsExtent(geometry)) return meets
    const { west, south, east, north } = extent
    return sql`((features.west >= ${west} and features.east <= ${east}
      and features.south >= ${south} and features.north <= ${north}) or ${meets})`
  }

  function writeScalar(scalar: Scalar): Expression<unknown> {
    if (scalar.is === 'folded') return dialect.foldCase(writeScalar(scalar.of))
    if (scalar.is === 'property') return writeProperty(properties.get(scalar.name) as Property)
    return typeof scalar.value === 'boolean' ? sql.lit(scalar.value) : sql`${scalar.value}`
  }

  function writeProperty({ source, type }: Property): Expression<unknown> {
    if ('column' in source) {
      const column = sql.ref(`features.${source.column}`)
      // PostgreSQL cannot compare an integer with 2.5.
      if (type === 'number' || type === 'instant') return sql`cast(${column} as double precision)`
      return source.yes === undefined ? column : sql`(${column} = ${source.yes})`
    }
    const { keys, initial } = source
    const value = dialect.fieldValue(keys, type === 'day' ? 'text' : type)
    if (initial === undefined) return value
    // Rows may be older than the field.
    return sql`(case when ${dialect.hasField(keys.slice(0, -1))} then coalesce(${value}, ${initial}) end)`
  }
}
