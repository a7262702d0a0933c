import { Agent, request } from 'node:http'

export type Answered = { status: number; headers: Record<string, unknown>; body: Buffer; tookMs: number }

/** A client of a local server, with session cookies. */
export class DemoClient {
  private readonly origin: string
  private readonly cookies = new Map<string, string>()
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 100 })

  constructor(origin: string) {
    this.origin = origin
  }

  static async signIn(origin: string, person: string): Promise<DemoClient> {
    const client = new DemoClient(origin)
    const page = await client.follow('/sign-in')
    await client.follow(page, `person=${person}`)
    const { person: signedIn } = JSON.parse((await client.ask('GET', '/api/session')).body.toString())
    if (!signedIn) throw new Error(`${person} could not sign in`)
    return client
  }

  ask(
    method: string,
    path: string,
    body?: string | Buffer | object,
    timeoutMs = 10_000,
    more: Record<string, string> = {},
  ): Promise<Answered> {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const payload = isRaw ? body : JSON.stringify(body)
    const type = Buffer.isBuffer(body)
      ? 'application/octet-stream'
      : typeof body === 'string'
        ? 'application/x-www-form-urlencoded'
        : 'application/json'
    const headers = {
      ...more,
      origin: this.origin,
      'sec-fetch-site': 'same-origin',
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(payload === undefined
        ? {}
        : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
    }
    const start = performance.now()
    return new Promise((resolve, reject) => {
      const sending = request(
        new URL(path, this.origin),
        { method, headers, agent: this.agent },
        (answer) => {
          for (const cookie of answer.headers['set-cookie'] ?? []) this.keep(cookie)
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.once('error', reject)
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks),
              tookMs: performance.now() - start,
            }),
          )
        },
      )
      sending.setTimeout(timeoutMs, () => sending.destroy(new Error(`${path}: no answer in ${timeoutMs} ms`)))
      sending.once('error', reject)
      sending.end(payload)
    })
  }

  close() {
    this.agent.destroy()
  }

  /** Returns the address at which the redirects end. */
  private async follow(path: string, form?: string): Promise<string> {
    let at = path
    let answer = await this.ask(form === undefined ? 'GET' : 'POST', at, form)
    for (let step = 0; step < 10 && answer.headers.location !== undefined; step++) {
      at = new URL(String(answer.headers.location), new URL(at, this.origin)).href
      answer = await this.ask('GET', at)
    }
    return at
  }

  private keep(cookie: string) {
    const [pair = ''] = cookie.split(';')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (value === '' || /max-age=0/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
