import type { TableDescription } from './database.ts'

/** `position` within the key; null for other columns. */
export type ColumnRow = { table: string; name: string; type: string; position: number | null }
export type ReferenceRow = { table: string; target: string }

export function describeTables(
  columns: readonly ColumnRow[],
  references: readonly ReferenceRow[],
): TableDescription[] {
  const columnsOf = Map.groupBy(columns, (column) => column.table)
  const referencesOf = Map.groupBy(references, (reference) => reference.table)
  return [...columnsOf].map(([name, all]) => {
    const key = all
      .filter((column) => column.position !== null)
      .sort((a, b) => (a.position as number) - (b.position as number))
      .map((column) => column.name)
    if (key.length === 0) throw new Error(`Table ${name} has no key, so its rows have no order.`)
    return {
      name,
      columns: all.map((column) => column.name).sort(),
      types: Object.fromEntries(all.map((column) => [column.name, column.type])),
      key,
      references: [...new Set(referencesOf.get(name)?.map((reference) => reference.target))].sort(),
    }
  })
}
