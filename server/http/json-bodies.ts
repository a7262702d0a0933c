import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem.ts'

/** The deepest body that a route takes has about 12 levels: a MultiPolygon within a change of many features. */
const mostLevels = 32

/** Parses bodies of these media types. Deeply nested ones are refused first: recursive code would overflow the stack. */
export function acceptJson(
  app: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser'>,
  types: string[],
) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body: string, done) => {
    if (isTooDeep(body))
      done(new ProblemError(400, `The body is nested more than ${mostLevels} levels deep.`), undefined)
    else void parse(request, body, done)
  })
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map((sign) =>
  sign.charCodeAt(0),
)

function isTooDeep(text: string): boolean {
  let level = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBracket || code === openBrace) {
      if (++level > mostLevels) return true
    } else if (code === closeBracket || code === closeBrace) level--
  }
  return false
}
