import { createHmac, randomBytes } from 'node:crypto'

// Standard Webhooks 1.0:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const prefix = 'whsec_'

const secretBytes = 32

export const newSecret = () => prefix + randomBytes(secretBytes).toString('base64')

export type Message = { id: string; body: string; at: number }

export function signedHeaders({ id, body, at }: Message, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at / 1_000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
