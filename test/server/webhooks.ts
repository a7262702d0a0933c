import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { EndpointWithSecret, NewEndpoint } from '#domain/webhooks/webhook.schema.ts'
import { type WebhookEvent, webhookEvents } from '#domain/webhooks/webhook-event.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { type SenderOptions, startWebhookSender } from '#server/webhooks/webhook-sender.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { type SignedIn, signIn } from './signed-in.ts'
import { startTestApp, type TestApp } from './test-app.ts'
import { startReceiver } from './webhook-receiver.ts'

/** Tests receive on this machine. */
export const insideSettings = { WEBHOOK_INSIDE: '127.0.0.1, localhost' }

export const everyEvent = Object.keys(webhookEvents) as WebhookEvent[]

export async function startWebhooks(database: TestDatabase) {
  await storeClient(database, 'oak-hills')
  const app = await startTestApp(database, { settings: insideSettings })
  onTestFinished(() => app.close())
  const headers = await signIn(database, ['manager:oak-hills'])
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  // Ahead of the real clock, by which rows are written.
  let ahead = 0
  const now = () => Date.now() + ahead
  const startSender = (options: Partial<SenderOptions> = {}) => {
    const sender = startWebhookSender(database, readConfiguration(insideSettings), {
      onError(error) {
        throw error
      },
      pollMs: null,
      now,
      ...options,
    })
    onTestFinished(() => sender.close())
    return sender
  }
  return {
    app,
    headers,
    receiver,
    startSender,
    passTime(ms: number) {
      ahead += ms
    },
    add: (given: Partial<NewEndpoint> = {}) => addEndpoint(app, headers, { url: receiver.url, ...given }),
    async ask<Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object, version?: number) {
      const answer = await app.send({
        method,
        url: `/api/maps/oak-hills/webhooks${path}`,
        headers: { ...headers, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
        ...(body && { payload: body }),
      })
      return { ...answer, statusCode: answer.statusCode, read: () => answer.json<Answer>() }
    },
  }
}

async function addEndpoint(
  app: TestApp,
  headers: SignedIn,
  given: Partial<NewEndpoint>,
): Promise<EndpointWithSecret> {
  const payload = { id: randomUUID(), description: '', events: everyEvent, kinds: [], ...given }
  const answer = await app.send({ method: 'POST', url: '/api/maps/oak-hills/webhooks', headers, payload })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
