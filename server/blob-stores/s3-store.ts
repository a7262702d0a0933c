import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { BusyError } from '../domain-error.ts'
import type { BlobStore } from './blob-store.ts'

// A store that speaks the Amazon S3 protocol, with path-style addresses. S3 writes objects atomically, so
// several servers may write to it at once.

export type S3Location = {
  url: string
  region: string
  keyId: string
  secret: string
}

/** `cause` has details, for the log only. */
export class StoreUnreachableError extends BusyError {
  constructor(cause: Error) {
    super('Cannot reach the store of photos and documents. No data was lost. Try again.', { cause })
  }
}

/** Pauses between attempts. Requests that the store rejects are not repeated. */
const pausesMs = [200, 800]

type S3Options = {
  /** Timeout for the response and for each part of its body. */
  patienceMs?: number
}

export function openS3Store(
  { url, region, keyId, secret }: S3Location,
  { patienceMs = 15_000 }: S3Options = {},
): BlobStore {
  const signer = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    retries: 0,
  })
  const addressOf = (key: string) => `${url}/${key}`

  /** Resolves with success or 404. Throws a StoreUnreachableError for any other status. */
  async function ask(method: string, address: string, body?: Uint8Array): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await askOnce(method, address, body).catch(
        (error: Error) => new StoreUnreachableError(error),
      )
      if (!(answer instanceof StoreUnreachableError)) {
        const { response } = answer
        if (response.ok || response.status === 404) return answer
        const refusal = new StoreUnreachableError(new Error(await wordsOf(answer)))
        if (response.status < 500 && response.status !== 429) throw refusal
        if (attempt === pausesMs.length) throw refusal
      } else if (attempt === pausesMs.length) throw answer
      await wait(pausesMs[attempt])
    }
  }

  async function askOnce(method: string, address: string, body?: Uint8Array): Promise<Answer> {
    const timeout = new AbortController()
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const request = await signer.sign(address, {
      method,
      headers: { 'x-amz-content-sha256': sha256 },
      // Proxies must not change it.
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    const timer = setTimeout(() => timeout.abort(late(patienceMs)), patienceMs)
    try {
      return { response: await fetch(request, { signal: timeout.signal, redirect: 'error' }), timeout }
    } finally {
      clearTimeout(timer)
    }
  }

  async function* chunksOf({ response, timeout }: Answer): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader()
    try {
      while (reader) {
        // The timeout covers only the store: a client may read as slowly as it likes.
        const timer = setTimeout(() => timeout.abort(late(patienceMs)), patienceMs)
        const { done, value } = await reader.read().finally(() => clearTimeout(timer))
        if (done) return
        yield value
      }
    } catch (error) {
      throw new StoreUnreachableError(error as Error)
    } finally {
      timeout.abort()
    }
  }

  const textOf = (answer: Answer) => text(Readable.from(chunksOf(answer)))

  async function wordsOf(answer: Answer): Promise<string> {
    const xml = await textOf(answer).catch(() => '')
    const text = /<Message>([^<]{1,300})<\/Message>/.exec(xml)?.[1] ?? ''
    return `it returned ${answer.response.status} ${text}`.trim()
  }

  const drop = async (answer: Answer) => void (await textOf(answer))

  const pageAfter = (token: string, most: number) => {
    const next = token ? `&continuation-token=${encodeURIComponent(token)}` : ''
    return `${url}?list-type=2&max-keys=${most}${next}`
  }

  return {
    place: url,
    async put(key, bytes) {
      const answer = await ask('PUT', addressOf(key), bytes)
      if (!answer.response.ok) throw new StoreUnreachableError(new Error(await wordsOf(answer)))
      await drop(answer)
    },
    async read(key) {
      const answer = await ask('GET', addressOf(key))
      if (answer.response.ok)
        return { size: sizeIn(answer), stream: Readable.from(chunksOf(answer), { objectMode: false }) }
      await requireBucket(answer)
      return undefined
    },
    async sizeOf(key) {
      const answer = await ask('HEAD', addressOf(key))
      await drop(answer)
      return answer.response.ok ? sizeIn(answer) : undefined
    },
    async remove(key) {
      await drop(await ask('DELETE', addressOf(key)))
    },
    async *list() {
      let token = ''
      do {
        const answer = await ask('GET', pageAfter(token, 1_000))
        const page = await textOf(answer)
        if (!answer.response.ok) throw new StoreUnreachableError(new Error(`there is no bucket at ${url}`))
        for (const [, item = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield { key: tagged(item, 'Key'), changedAt: Date.parse(tagged(item, 'LastModified')) }
        token = tagged(page, 'NextContinuationToken')
      } while (token !== '')
    },
    async findFault() {
      try {
        const answer = await askOnce('GET', pageAfter('', 1))
        if (answer.response.ok) {
          await drop(answer)
          return null
        }
        return await wordsOf(answer)
      } catch (error) {
        return reasonOf(error as Error)
      }
    },
  }

  /** A missing bucket is an error in the settings, not a missing file. */
  async function requireBucket(answer: Answer) {
    if ((await textOf(answer)).includes('<Code>NoSuchBucket</Code>'))
      throw new StoreUnreachableError(new Error(`there is no bucket at ${url}`))
  }
}

type Answer = { response: Response; timeout: AbortController }

const late = (patienceMs: number) => new Error(`it did not respond within ${patienceMs / 1000} seconds`)

const sizeIn = ({ response }: Answer) => Number(response.headers.get('content-length'))

/** Keys consist of letters, digits and `-_./`, which XML does not escape. */
const tagged = (xml: string, name: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** `fetch` hides the system error in `cause`. */
export function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
