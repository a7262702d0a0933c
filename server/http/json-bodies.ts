import type { FastifyInstance } from 'fastify'
import { formatNumber } from '#domain/values/wording.ts'
import { ProblemError } from './problem.ts'

/** A MultiPolygon within a change of many features has about 12 levels. */
const maxLevels = 32

/** 500 features with shapes of 100 positions have half as many. Validating one takes about a microsecond. */
const maxValues = 300_000

const maxKeys = 10_000

/** Rejects bodies that would overflow the stack of recursive code, or take too long to validate. */
export function acceptJson(
  app: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser'>,
  types: string[],
) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body: string, done) => {
    const excess = findExcess(body)
    if (excess) done(new ProblemError(400, `The body ${excess}.`), undefined)
    else void parse(request, body, done)
  })
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, comma] = [...'"\\[]{},'].map(
  (sign) => sign.charCodeAt(0),
)

/** Counts brackets and commas, which is cheaper than parsing. */
function findExcess(text: string): string | null {
  let level = 0
  let values = 1
  const keysAtLevel = new Uint32Array(maxLevels + 1)
  const isObjectAtLevel = new Uint8Array(maxLevels + 1)
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBracket || code === openBrace) {
      if (++level > maxLevels) return `is nested more than ${maxLevels} levels deep`
      values++
      keysAtLevel[level] = 0
      isObjectAtLevel[level] = code === openBrace ? 1 : 0
    } else if (code === comma) {
      if (++values > maxValues) return `has more than ${formatNumber(maxValues)} values`
      const keys = (keysAtLevel[level] ?? 0) + 1
      keysAtLevel[level] = keys
      if (isObjectAtLevel[level] === 1 && keys >= maxKeys)
        return `has an object with more than ${formatNumber(maxKeys)} keys`
    } else if (code === closeBracket || code === closeBrace) level--
  }
  return null
}
