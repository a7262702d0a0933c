import type { Violation } from './architecture-examples.ts'

// Faults of the code itself that lint has to find, wherever they are.

const fault = (rule: string, what: string, path: string, ...lines: string[]): Violation => ({
  what,
  files: { [path]: lines.join('\n') },
  rule,
})

const vitest = `import { expect, it } from 'vitest'`
const journey = (...lines: string[]) => [
  `import { expect, test } from '@playwright/test'`,
  `test('a', async ({ page }) => {`,
  ...lines,
  `  await expect(page.locator('a')).toBeVisible()`,
  '})',
]

export const faults: Violation[] = [
  fault(
    'noFloatingPromises',
    'a promise that nobody waits for',
    'server/a/floating.ts',
    'async function a() {}',
    'export function b() {',
    '  a()',
    '}',
  ),
  fault(
    'noMisusedPromises',
    'a promise taken for a condition',
    'server/a/misused.ts',
    'async function a() {',
    '  return true',
    '}',
    'export const b = a() ? 1 : 2',
  ),
  fault(
    'usePromiseRejectErrors',
    'rejecting with what is no error',
    'server/a/reject.ts',
    `export const a = () => Promise.reject('a')`,
  ),
  fault(
    'useThrowOnlyError',
    'throwing what is no error',
    'server/a/throw.ts',
    'export function a() {',
    `  throw 'a'`,
    '}',
  ),
  fault(
    'useErrorMessage',
    'an error without a message',
    'server/a/error.ts',
    'export function a() {',
    '  throw new Error()',
    '}',
  ),
  fault(
    'useExhaustiveSwitchCases',
    'a switch that forgets a case',
    'domain/a/switch.ts',
    `export function a(kind: 'b' | 'c') {`,
    '  switch (kind) {',
    `    case 'b':`,
    '      return 1',
    '  }',
    '}',
  ),
  fault(
    'useExhaustiveDependencies',
    'an effect that forgets a dependency',
    'web/a/effect.tsx',
    `import { useEffect } from 'react'`,
    'export function useA(b: string) {',
    '  useEffect(() => {',
    '    document.title = b',
    '  }, [])',
    '}',
  ),
  fault(
    'noAccumulatingSpread',
    'a copy at every step of a loop',
    'domain/a/spread.ts',
    'export const a = (b: string[]) => b.reduce<string[]>((all, one) => [...all, one], [])',
  ),
  fault(
    'noParameterAssign',
    'a parameter that changes',
    'domain/a/parameter.ts',
    'export function a(b: number) {',
    '  b = 1',
    '  return b',
    '}',
  ),
  fault(
    'noUnusedExpressions',
    'an expression for nothing',
    'domain/a/expression.ts',
    'export function a(b: number) {',
    '  b + 1',
    '}',
  ),
  fault(
    'useNumberToFixedDigitsArgument',
    'digits left to chance',
    'domain/a/digits.ts',
    'export const a = (1).toFixed()',
  ),
  fault(
    'noUndeclaredDependencies',
    'a package that package.json does not name',
    'server/a/package.ts',
    `import { a } from 'left-pad'`,
    'export const b = a',
  ),
  fault('noAlert', 'an alert', 'web/a/alert.ts', `export const a = () => alert('a')`),
  {
    ...fault(
      'noNoninteractiveElementInteractions',
      'a click that the keyboard cannot make',
      'web/a/click.tsx',
      'export const A = () => <div onClick={() => {}}>a</div>',
    ),
    also: ['noStaticElementInteractions', 'useKeyWithClickEvents'],
  },
  fault(
    'noSkippedTests',
    'a test that is switched off',
    'server/a/skipped.test.ts',
    vitest,
    `it.skip('a', () => expect(1).toBe(1))`,
  ),
  fault(
    'noFocusedTests',
    'a test that switches off the others',
    'server/a/focused.test.ts',
    vitest,
    `it.only('a', () => expect(1).toBe(1))`,
  ),
  fault(
    'noIdenticalTestTitle',
    'two tests of one name',
    'server/a/titles.test.ts',
    vitest,
    `it('a', () => expect(1).toBe(1))`,
    `it('a', () => expect(1).toBe(1))`,
  ),
  fault(
    'noPlaywrightWaitForTimeout',
    'a journey that waits for a while',
    'test/e2e/waits.spec.ts',
    ...journey('  await page.waitForTimeout(1)'),
  ),
  fault(
    'noPlaywrightNetworkidle',
    'a journey that waits for silence',
    'test/e2e/idle.spec.ts',
    ...journey(`  await page.goto('/', { waitUntil: 'networkidle' })`),
  ),
  fault(
    'noPlaywrightForceOption',
    'a click that no person could make',
    'test/e2e/force.spec.ts',
    ...journey(`  await page.locator('a').click({ force: true })`),
  ),
  fault(
    'noPlaywrightPagePause',
    'a journey that stops',
    'test/e2e/pause.spec.ts',
    ...journey('  await page.pause()'),
  ),
  {
    ...fault(
      'noPlaywrightMissingAwait',
      'an expectation nobody waits for',
      'test/e2e/await.spec.ts',
      ...journey(`  expect(page.locator('b')).toBeVisible()`),
    ),
    also: ['noFloatingPromises'],
  },
]
