/** Whether two values have the same JSON text; the order of properties counts. */
export const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
