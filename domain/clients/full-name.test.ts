import { expect, it } from 'vitest'
import { fullName } from './full-name.ts'

it.each([
  ['Pine Ridge POA', 'Pine Ridge Property Owners’ Association'],
  ['POA of Oak Hills', 'Property Owners’ Association of Oak Hills'],
  ['Birch Lake Landowners', 'Birch Lake Landowners'],
  ['SPOAK Ranch', 'SPOAK Ranch'],
])('the full name of %s is %s', (name, full) => {
  expect(fullName(name)).toBe(full)
})
