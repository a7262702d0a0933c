import { afterEach, expect, it } from 'vitest'
import { positionName } from '#domain/values/position.ts'
import { notePosition } from './position.ts'

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS.
  document.cookie = `${positionName}=; path=/; max-age=0`
})

it('keeps the newest position for later requests, in any order', () => {
  for (const position of [40, 300, 200]) notePosition(position)
  expect(document.cookie).toBe(`${positionName}=300`)
})
