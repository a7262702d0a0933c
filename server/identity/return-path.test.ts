import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defaultReturnPath, toReturnPath } from './return-path.ts'

it.each([
  '/',
  '/map/pine-ridge?select=incident-5&tab=assets',
  '/config/map/pine-ridge/configuration#14/34.05/-111.09',
  '/map?search=caf%C3%A9%20%2F%2F',
  '/map?url=https://elsewhere.example//',
  '/sign-inn',
])('returns to %s', (path) => {
  expect(toReturnPath(path)).toBe(path)
})

const hostile = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\u0000/evil.example',
  '/map\r\nset-cookie: a=b',
  'https://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '/\u2028/evil.example',
  '/café',
  '/\ud800',
  `/${'x'.repeat(2_000)}`,
  '',
  '?a',
  '#a',
  undefined,
  null,
  7,
  ['/map', '//evil.example'],
  '/sign-in',
  '/sign-in?returnTo=/sign-in',
  '/sign-in/callback?error=x',
  '/a/../sign-in',
  '/demo-identity/session/end',
  '/api/session',
]

it.each(hostile)('returns to the default instead of %j', (value) => {
  expect(toReturnPath(value)).toBe(defaultReturnPath)
})

it('stays on this site for any input, also after another parse by a browser', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '%09',
    '\t',
    ':',
    '@',
    'evil.example',
    'https',
    '?',
    '#',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.webUrl(),
      ),
      (value) => {
        const path = toReturnPath(value)
        expect(path.startsWith('/')).toBe(true)
        expect(new URL(path, 'https://land.example').origin).toBe('https://land.example')
        expect(toReturnPath(path)).toBe(path)
      },
    ),
    { numRuns: 5_000 },
  )
})
