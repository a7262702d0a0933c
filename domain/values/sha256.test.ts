import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

const hex = (words: Uint32Array) => [...words].map((word) => word.toString(16).padStart(8, '0')).join('')
const ofNode = (text: string) => createHash('sha256').update(text).digest('hex')

it('equals the published example', () => {
  expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('equals that of Node for every length around the size of a block', () => {
  for (let length = 0; length < 200; length++)
    expect(hex(sha256('é'.repeat(length)))).toBe(ofNode('é'.repeat(length)))
})

it('equals that of Node for any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (text) => hex(sha256(text)) === ofNode(text),
    ),
  )
})
