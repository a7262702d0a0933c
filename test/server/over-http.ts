import { request } from 'node:http'
import type { TestApp } from './test-app.ts'

/** As much of an app as `openBrowser` needs, on a running server. Each request has its own connection. */
export function overHttp(base: string): Pick<TestApp['app'], 'inject'> {
  const inject = (sent: { method: string; url: string; headers: Record<string, string>; payload?: string }) =>
    new Promise((resolve, reject) => {
      const { method, url, headers, payload } = sent
      const sending = request(`${base}${url}`, { agent: false, method, headers }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        answer.once('error', reject)
        answer.once('end', () => {
          const cookies = (answer.headers['set-cookie'] ?? []).map(readCookie)
          const { statusCode, headers } = answer
          resolve({ statusCode, headers, body, cookies, json: () => JSON.parse(body) })
        })
      })
      sending.once('error', reject)
      sending.end(payload)
    })
  return { inject } as unknown as Pick<TestApp['app'], 'inject'>
}

function readCookie(header: string) {
  const [pair = '', ...attributes] = header.split(/; ?/)
  const at = pair.indexOf('=')
  const found = new Map(
    attributes.map((attribute) => {
      const [key = '', value = ''] = attribute.split('=')
      return [key.toLowerCase(), value]
    }),
  )
  const [expires, maxAge, path] = ['expires', 'max-age', 'path'].map((key) => found.get(key))
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    ...(path === undefined ? {} : { path }),
    ...(maxAge === undefined ? {} : { maxAge: Number(maxAge) }),
    ...(expires === undefined ? {} : { expires: new Date(expires) }),
  }
}
