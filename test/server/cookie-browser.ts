import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from './test-app.ts'

/** Keyed by path and name: cookies with the same name can have several paths. */
type CookieJar = Map<string, { name: string; value: string; path: string }>

export type CookieBrowser = {
  url(): URL
  cookies: Map<string, string>
  jar: CookieJar
  ask(url: string, form?: Record<string, string>): Promise<Answer>
  /** Sends the header of background requests, which do not extend the session. */
  askUnattended(url: string): Promise<Answer>
  /** Follows redirects within the origin of the app. */
  visit(url: string, form?: Record<string, string>): Promise<Answer>
  /** `/api/session` is the session of this browser, `/api/sessions` are all of the user. */
  signOut(sessions?: string): Promise<Answer>
}

type Answer = LightMyRequestResponse

/** `previous` shares its cookies with this browser. */
export function openBrowser(
  { app }: { app: Pick<TestApp['app'], 'inject'> },
  origin: string,
  previous?: CookieBrowser,
): CookieBrowser {
  const cookies: CookieJar = previous?.jar ?? new Map()
  let current = new URL(origin)

  async function send(
    address: string,
    method: 'GET' | 'POST' | 'DELETE',
    form?: Record<string, string>,
    more: Record<string, string> = {},
  ) {
    const url = new URL(address, current)
    const sent = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path))
    const answer = await app.inject({
      method,
      url: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        ...(sent.length > 0 ? { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...more,
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    })
    for (const { name, value, path = '/', maxAge, expires } of answer.cookies) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now())
      if (isGone) cookies.delete(`${path} ${name}`)
      else cookies.set(`${path} ${name}`, { name, value, path })
    }
    current = url
    return answer
  }

  async function visit(address: string, form?: Record<string, string>) {
    let answer = await send(address, form ? 'POST' : 'GET', form)
    for (let step = 0; step < 10 && answer.headers.location !== undefined; step++) {
      const next = new URL(answer.headers.location, current)
      if (next.origin !== origin) break
      answer = await send(next.href, 'GET')
    }
    return answer
  }

  return {
    url: () => current,
    jar: cookies,
    get cookies() {
      return new Map([...cookies.values()].map(({ name, value }) => [name, value]))
    },
    ask: (address, form) => send(address, form ? 'POST' : 'GET', form),
    askUnattended: (address) => send(address, 'GET', undefined, { 'x-unattended': '1' }),
    visit,
    signOut: (sessions = '/api/session') => send(sessions, 'DELETE'),
  }
}
