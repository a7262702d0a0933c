import { z } from 'zod'
import { text } from '#domain/values/common.schema.ts'

// How a file is laid out: detected from its content, and overridden by the person who imports it.

export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

export const decimalMarks = ['point', 'comma'] as const
export type DecimalMark = (typeof decimalMarks)[number]

export const areaUnits = ['acre', 'sqft', 'm2', 'ha'] as const
export type AreaUnit = (typeof areaUnits)[number]

const columnName = text(200)
const fieldName = text(100)

/** Overrides by a person; null, or a missing key, is what was detected. */
export const importLayout = z.strictObject({
  /** Row of a table that names its columns, counted as in a spreadsheet. */
  headerRow: z.number().int().min(1).max(100).nullable(),
  /** Column with the shape of each row; empty where none has it. */
  geometryColumn: columnName.nullable(),
  decimalMark: z.enum(decimalMarks).nullable(),
  /** Order of day and month, by column. */
  dates: z.record(columnName, z.enum(dateOrders)),
  /** Columns that fill a field together, with a space between them, by field. An empty list joins none. */
  joined: z.record(fieldName, z.array(columnName).max(5, 'at most 5 columns are joined')),
  /** The value of all rows, by field. */
  constants: z.record(fieldName, text(2_000)),
})
export type ImportLayout = z.infer<typeof importLayout>

export const detectedLayout: ImportLayout = {
  headerRow: null,
  geometryColumn: null,
  decimalMark: null,
  dates: {},
  joined: {},
  constants: {},
}

/** Notations of a shape in a cell. */
export const shapeNotations = ['wkt', 'wkb', 'geojson', 'latitude-longitude'] as const
export type ShapeNotation = (typeof shapeNotations)[number]

/** Dates whose day and month are both numbers; `order` is null where no value tells which is which. */
const foundDates = z.object({
  column: z.string(),
  order: z.enum(dateOrders).nullable(),
  examples: z.array(z.string()),
})

/** Layout detected from the first rows. */
export const foundLayout = z.object({
  /** Null for a format that names its columns in another way. */
  headerRow: z.number().int().nullable(),
  /** The first rows of a table, with those above the header. */
  firstRows: z.array(z.array(z.string())),
  geometryColumn: z
    .object({ name: z.string(), notation: z.enum(shapeNotations), isOfPoints: z.boolean() })
    .nullable(),
  decimalMark: z.enum(decimalMarks),
  /** A coordinate in degrees, minutes and seconds, as an example. */
  degreesMinutesSeconds: z.string().nullable(),
  dates: z.array(foundDates),
  /** Columns with days as numbers, as Excel counts them. */
  excelDates: z.array(z.string()),
  /** House number and street, which are a name only together. */
  address: z.array(z.string()).nullable(),
})
export type FoundLayout = z.infer<typeof foundLayout>
