import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// An S3 server with one bucket in memory and the operations that the project uses. Checks every signature (Signature
// Version 4) and can simulate faults.

export const s3Credentials = { keyId: 'AKIDTEST', secret: 'a secret/of+the test', region: 'eu-test-1' }

/** `cut` ends in the middle of a body. */
type S3Fault = 'busy' | 'hangs' | 'resets' | 'cut'

export type S3Server = AsyncDisposable & {
  url: string
  objects: Map<string, { bytes: Buffer; changedAt: Date }>
  /** Each request takes the first fault. */
  faults: S3Fault[]
  /** Method and path of all requests. */
  requests: string[]
}

export async function startS3Server(): Promise<S3Server> {
  const bucket = 'poa-files'
  const objects: S3Server['objects'] = new Map()
  const faults: S3Fault[] = []
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    requests.push(`${request.method} ${pathname}`)
    const fault = faults.shift()
    if (fault === 'hangs') return
    if (fault === 'resets') return void request.socket.destroy()
    if (fault === 'busy') return refuse(response, 503, 'SlowDown', 'Please reduce your request rate.')
    const flaw = flawOf(request, body)
    if (flaw) return refuse(response, 403, flaw, 'The request is not signed as it should be.')
    const [, named, ...rest] = pathname.split('/')
    if (named !== bucket) return refuse(response, 404, 'NoSuchBucket', 'The specified bucket does not exist')
    const key = decodeURIComponent(rest.join('/'))
    if (key === '') return list(response, searchParams)
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, changedAt: new Date() })
      return response.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return refuse(response, 404, 'NoSuchKey', 'The specified key does not exist.')
    response.setHeader('content-length', found.bytes.length)
    if (request.method === 'HEAD') return response.end()
    if (fault !== 'cut') return response.end(found.bytes)
    response.write(found.bytes.subarray(0, found.bytes.length / 2), () => request.socket.destroy())
  })

  function list(response: ServerResponse, query: URLSearchParams) {
    const after = query.get('continuation-token') ?? ''
    const most = Number(query.get('max-keys'))
    const keys = [...objects.keys()].toSorted().filter((key) => key > after)
    const items = keys.slice(0, most).map((key) => {
      const { bytes, changedAt } = objects.get(key) as { bytes: Buffer; changedAt: Date }
      return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    const last = keys.length > most ? keys[most - 1] : undefined
    const next = last === undefined ? '' : `<NextContinuationToken>${last}</NextContinuationToken>`
    response.end(`<?xml version="1.0"?><ListBucketResult>${items.join('')}${next}</ListBucketResult>`)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    objects,
    faults,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function refuse(response: ServerResponse, status: number, code: string, message: string) {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

function flawOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!match) return 'AccessDenied'
  const [, keyId, day = '', region = '', names = '', signature] = match
  if (keyId !== s3Credentials.keyId) return 'InvalidAccessKeyId'
  if (region !== s3Credentials.region) return 'AuthorizationHeaderMalformed'
  const signed = names.split(';')
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!signed.includes(name)) return 'AccessDenied'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const time = String(headers['x-amz-date'])
  if (!time.startsWith(day)) return 'SignatureDoesNotMatch'
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(
    (before, part) => hmac(before, part),
    hmac(`AWS4${s3Credentials.secret}`, day),
  )
  return hmac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}
