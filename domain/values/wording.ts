// Counts and lists in messages. Messages are in American English; numbers are in the reader's locale, which the server
// does not know.

const numberLocale = 'document' in globalThis ? undefined : 'en-US'
const plurals = new Intl.PluralRules('en-US')
const lists = new Intl.ListFormat('en-US')

export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return value.toLocaleString(numberLocale, { maximumFractionDigits })
}

/** 'row' or 'rows'; also 'is' or 'are', 'it' or 'they'. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return plurals.select(count) === 'one' ? one : many
}

/** '1 row', '2,345 rows' */
export function counted(count: number, one: string, many?: string): string {
  return `${formatNumber(count)} ${plural(count, one, many)}`
}

/** 'name, owner, and size' */
export const formatList = (items: Iterable<string>): string => lists.format(items)

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
