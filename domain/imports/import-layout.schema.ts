import { z } from 'zod'
import { text } from '#domain/values/common.schema.ts'

export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

export const decimalMarks = ['point', 'comma'] as const
export type DecimalMark = (typeof decimalMarks)[number]

export const areaUnits = ['acre', 'sqft', 'm2', 'ha'] as const
export type AreaUnit = (typeof areaUnits)[number]

const columnName = text(200)
const fieldName = text(100)

/** Overrides by the user; null, or a missing key, keeps the detected value. */
export const importLayout = z.strictObject({
  /** Row that names the columns, counted as in a spreadsheet. */
  headerRow: z.number().int().min(1).max(100).nullable(),
  /** Column with the shape of each row; empty for none. */
  geometryColumn: columnName.nullable(),
  decimalMark: z.enum(decimalMarks).nullable(),
  /** Order of day and month, by column. */
  dates: z.record(columnName, z.enum(dateOrders)),
  /** Columns that are joined with spaces to fill a field, by field. An empty list joins none. */
  joined: z.record(fieldName, z.array(columnName).max(5, 'at most 5 columns can be joined')),
  /** Values for all rows, by field. */
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

/** Dates whose day and month are both numbers; `order` is null if no value proves it. */
const foundDates = z.object({
  column: z.string(),
  order: z.enum(dateOrders).nullable(),
  examples: z.array(z.string()),
})

export const foundLayout = z.object({
  /** Null for formats without a header row. */
  headerRow: z.number().int().nullable(),
  /** The first rows of a table, including those above the header. */
  firstRows: z.array(z.array(z.string())),
  geometryColumn: z
    .object({ name: z.string(), notation: z.enum(shapeNotations), isOfPoints: z.boolean() })
    .nullable(),
  decimalMark: z.enum(decimalMarks),
  /** An example of a coordinate in degrees, minutes and seconds. */
  degreesMinutesSeconds: z.string().nullable(),
  dates: z.array(foundDates),
  /** Columns with day numbers of Excel. */
  excelDates: z.array(z.string()),
  /** Columns of house number and street, which are an address only together. */
  address: z.array(z.string()).nullable(),
})
export type FoundLayout = z.infer<typeof foundLayout>
