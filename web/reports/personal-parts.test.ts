import { expect, it } from 'vitest'
import { personalPartsOf } from './personal-parts.ts'

it.each([
  ['Call 928-555-0142 or (928) 555 0143.', ['928-555-0142', '(928) 555 0143']],
  ['Write to ann.lee@mail.example.org!', ['ann.lee@mail.example.org']],
  ['+1 928 555 0142', ['+1 928 555 0142']],
  ['Since 2026-11-28, at Lot 12, hydrant 4711, 3 trees', []],
  ['', []],
])('finds email addresses and phone numbers in ‘%s’', (text, parts) => {
  expect(personalPartsOf(text)).toEqual(parts)
})
