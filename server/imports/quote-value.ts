export function quoteValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return String(value)
  const text = typeof value === 'string' ? `"${value}"` : shortJson(value)
  const printable = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return printable.length <= 80
    ? printable
    : `${printable.slice(0, 78).toWellFormed()}…${typeof value === 'string' ? '"' : ''}`
}

function shortJson(value: unknown): string {
  if (!Array.isArray(value)) return 'an object'
  try {
    return value.length > 20 ? 'a list' : JSON.stringify(value)
  } catch {
    return 'a deeply nested list'
  }
}
