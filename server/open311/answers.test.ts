import fc from 'fast-check'
import sax from 'sax'
import { expect, it } from 'vitest'
import { withoutControls } from '#domain/values/xml.ts'
import { writeXml } from './answers.ts'

/** Texts of the elements without children. */
function readTexts(xml: string): string[] {
  const parser = sax.parser(true)
  const texts: string[] = []
  let current: string | null = null
  parser.onopentag = () => {
    current = ''
  }
  parser.ontext = (text) => {
    if (current !== null) current += text
  }
  parser.onclosetag = () => {
    if (current !== null) texts.push(current)
    current = null
  }
  parser.onerror = (error) => {
    throw error
  }
  parser.write(xml).close()
  return texts
}

it('writes any text so that a parser of XML reads it again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const xml = writeXml('errors', [
        { code: 400, description: `${one}]]>&amp;<\r\n\u0001` },
        { code: other },
      ])
      const description = withoutControls(`${one}]]>&amp;<\r\n`)
      expect(readTexts(xml)).toEqual(['400', description, withoutControls(other)])
    }),
  )
})

it.each(['\u0000', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff'])(
  'removes %j, which XML forbids',
  (text) => {
    expect(writeXml('errors', [{ description: `a${text}b` }])).toContain('<description>ab</description>')
  },
)

it('escapes carriage returns, which parsers would read as line feeds', () => {
  expect(writeXml('errors', [{ description: 'a\r\nb' }])).toContain('<description>a&#13;\nb</description>')
})

it('replaces half of a surrogate pair', () => {
  expect(writeXml('errors', [{ description: '\ud800' }])).toContain('<description>\ufffd</description>')
})

it('writes null and empty lists as empty elements', () => {
  expect(writeXml('service_definition', { service_code: null, attributes: [] })).toBe(
    '<?xml version="1.0" encoding="utf-8"?>\n<service_definition><service_code/><attributes/></service_definition>\n',
  )
})
