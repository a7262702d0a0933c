// Creating a formatter takes longer than formatting a hundred values, and tables format many of the same kind.

const formatters = new Map<string, unknown>()

function formatterOf<Formatter>(kind: string, options: object, create: () => Formatter): Formatter {
  const key = kind + JSON.stringify(options)
  const existing = formatters.get(key) as Formatter | undefined
  if (existing) return existing
  const created = create()
  formatters.set(key, created)
  return created
}

/** In the reader's language. */
export function formatDate(date: Date, options: Intl.DateTimeFormatOptions): string {
  return formatterOf('date', options, () => new Intl.DateTimeFormat(undefined, options)).format(date)
}

export function formatQuantity(value: number, options: Intl.NumberFormatOptions): string {
  return formatterOf('number', options, () => new Intl.NumberFormat(undefined, options)).format(value)
}

export function formatAgo(
  count: number,
  unit: Intl.RelativeTimeFormatUnit,
  options: Intl.RelativeTimeFormatOptions,
): string {
  const create = () => new Intl.RelativeTimeFormat(undefined, options)
  return formatterOf('relative', options, create).format(-count, unit)
}
