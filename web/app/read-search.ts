/** Returns the value if it is one of `values`. */
export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((candidate) => candidate === value)

/** Returns a text that is not blank, cut to `maxLength` characters. */
export const filledText = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxLength) : undefined
