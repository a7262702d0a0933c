/** `npm run test:long` repeats property tests and fuzzers this many times as often. */
const longFactor = 30

export const isLong = Boolean(process.env.TEST_LONG)

/** Returns how often to repeat a property test that `npm test` repeats `usual` times. */
export function times(usual: number): number {
  return isLong ? usual * longFactor : usual
}

/** Milliseconds that a test may take whose work grows with `times`. */
export const timeLimit = (ms: number) => times(ms)
