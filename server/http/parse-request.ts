import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { type Issue, parseBounded } from '#domain/values/parse-bounded.ts'

export class InvalidRequestError extends Error {
  readonly issues: readonly Issue[]
  readonly validationContext?: string
  constructor(issues: readonly Issue[]) {
    super('The request does not match its schema.')
    this.issues = issues
  }
}

export const requestParser: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = parseBounded(schema, data)
    return parsed.success ? { value: parsed.data } : { error: new InvalidRequestError(parsed.issues) }
  }
