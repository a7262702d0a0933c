/** `npm run test:long` repeats property tests and fuzzers this many times as often. */
const longFactor = 30

/** Returns how often to repeat a property test that `npm test` repeats `usual` times. */
export function times(usual: number): number {
  return process.env.TEST_LONG ? usual * longFactor : usual
}
