import { expect, it } from 'vitest'
import { hasLink } from './links.ts'

it.each([
  'See https://example.org/a',
  'www.pumps.example',
  'Visit pumps.com today',
  'pumps.shop/sale',
  'Go to PUMPS.NET.',
])('finds the link in ‘%s’', (text) => expect(hasLink(text)).toBe(true))

it.each([
  'Water over the road.Come soon',
  'Gate 3.5 m wide',
  'ann@example.com',
  'Photo is IMG_1.jpg',
  'Call 928-555-0142',
])('finds no link in ‘%s’', (text) => expect(hasLink(text)).toBe(false))
