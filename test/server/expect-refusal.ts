import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { type Reason, refusals } from '#server/identity/refusals.ts'

/** Expects the error page of a sign-in; `retry` is the link to try again. */
export function expectRefusal(
  answer: LightMyRequestResponse,
  reason: Reason,
  retry: string | null = '/sign-in?returnTo=%2Fconfig%2Fmap',
) {
  const { status, heading, text } = refusals[reason]
  expect(answer.body).toContain(`<h1>${heading}</h1>`)
  expect(answer.statusCode).toBe(status)
  expect(answer.body).toContain(text)
  expect(answer.body).toContain('<main>')
  expect(answer.body).toContain('<a class="button" href="/">Go to the map</a>')
  const links = [...answer.body.matchAll(/href="([^"]*)">Try again/g)].map((match) => match[1])
  expect(links).toEqual(retry === null ? [] : [retry.replaceAll('&', '&amp;')])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  })
}
