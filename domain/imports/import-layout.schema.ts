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

/** Null, or a missing key, keeps the detected value. */
export const importLayout = z.strictObject({
  /** Counted from 1, as in a spreadsheet. */
  headerRow: z.number().int().min(1).max(100).nullable(),
  geometryColumn: columnName.nullable(),
  decimalMark: z.enum(decimalMarks).nullable(),
  dates: z.record(columnName, z.enum(dateOrders)),
  /** Columns joined with spaces, by field. An empty list joins none. */
  joined: z.record(fieldName, z.array(columnName).max(5, 'at most 5 columns can be joined')),
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

export const shapeNotations = ['wkt', 'wkb', 'geojson', 'latitude-longitude'] as const
export type ShapeNotation = (typeof shapeNotations)[number]

/** `order` is null if no value proves it. */
const foundDates = z.object({
  column: z.string(),
  order: z.enum(dateOrders).nullable(),
  examples: z.array(z.string()),
})

export const foundLayout = z.object({
  headerRow: z.number().int().nullable(),
  firstRows: z.array(z.array(z.string())),
  geometryColumn: z
    .object({ name: z.string(), notation: z.enum(shapeNotations), isOfPoints: z.boolean() })
    .nullable(),
  decimalMark: z.enum(decimalMarks),
  degreesMinutesSeconds: z.string().nullable(),
  dates: z.array(foundDates),
  excelDates: z.array(z.string()),
  /** House number and street, which are an address only together. */
  address: z.array(z.string()).nullable(),
})
export type FoundLayout = z.infer<typeof foundLayout>
