export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((candidate) => candidate === value)

export const filledText = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxLength) : undefined

export const uuid = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined
