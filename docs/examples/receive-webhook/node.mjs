import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET // whsec_...
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const seen = new Set() // In production, a database table with the ids of the last two days.

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  // Rejects replays of intercepted messages.
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end()
  const id = request.headers['webhook-id']
  if (seen.has(id)) return
  seen.add(id)
  const { type, data } = JSON.parse(body)
  console.log(type, data.kind, data.subject)
}).listen(process.env.PORT ?? 9000, '127.0.0.1', () => console.log('listening'))
