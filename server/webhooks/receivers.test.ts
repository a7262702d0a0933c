import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { DeliveryPage } from '#domain/webhooks/webhook.schema.ts'
import { onEngine } from '#test/databases/databases.ts'
import { freePort, projectFolder, startProcess } from '#test/server/processes.ts'
import { startWebhooks } from '#test/server/webhooks.ts'
import { findPython } from '../../scripts/find-tools.mjs'

// The receivers of the documentation, unchanged.

const examples = join(projectFolder, 'docs/examples/receive-webhook')
const python = findPython()
const genuine = '{"type":"genuine","data":{}}'
const receivers = [
  { command: process.execPath, file: 'node.mjs' },
  { command: python, file: 'python.py' },
]

onEngine('sqlite', 'a receiver of docs/examples', (createDatabase) => {
  describe.each(receivers)('in $file', ({ command, file }) => {
    it.skipIf(command === undefined && !process.env.CI)(
      'believes what is signed, once, and nothing else',
      async () => {
        const { database, ask, add, startSender } = await start()
        const port = await freePort()
        const url = `http://127.0.0.1:${port}/hook`
        const { id, secret } = await add({ url })
        const { PATH } = process.env
        await using receiver = startProcess(command ?? '', [join(examples, file)], {
          env: { PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
        })
        await receiver.waitFor(/listening/)

        expect((await ask('POST', `/${id}/test`)).statusCode).toBe(202)
        await startSender().work()
        const [sent] = (await ask<DeliveryPage>('GET', `/${id}/deliveries`)).read().items
        expect(sent).toMatchObject({ state: 'delivered', status: 204 })
        await receiver.waitFor(/^test /m)

        expect((await ask('POST', `/${id}/secret`, { formerEnds: 'after-a-day' }, 1)).statusCode).toBe(200)
        expect((await ask('POST', `/${id}/deliveries/${sent?.id}/repeat`)).statusCode).toBe(202)
        await startSender().work()
        const [again] = (await ask<DeliveryPage>('GET', `/${id}/deliveries`)).read().items
        expect(again).toMatchObject({ id: sent?.id, state: 'delivered', status: 204 })

        expect((await ask('POST', `/${id}/secret`, { formerEnds: 'at-once' }, 2)).statusCode).toBe(200)
        await database.write((transaction) => transaction.deleteFrom('webhook_deliveries').execute())
        await ask('POST', `/${id}/test`)
        await startSender().work()
        const [forged] = (await ask<DeliveryPage>('GET', `/${id}/deliveries`)).read().items
        expect(forged).toMatchObject({ state: 'failed', status: 401 })

        const old = await fetch(url, { method: 'POST', body: genuine, headers: signedHeaders(secret, 301) })
        expect(old.status).toBe(401)
        const believed = await fetch(url, {
          method: 'POST',
          body: genuine,
          headers: signedHeaders(secret, 280),
        })
        expect(believed.status).toBe(204)
        expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
        expect(receiver.output().match(/^test /gm)).toHaveLength(1)
      },
    )
  })

  async function start() {
    const database = await createDatabase()
    return { database, ...(await startWebhooks(database)) }
  }
})

function signedHeaders(secret: string, ageSeconds: number) {
  const at = new Date(Date.now() - ageSeconds * 1_000)
  const signature = new Webhook(secret).sign('msg_old', at, genuine)
  return {
    'webhook-id': 'msg_old',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  }
}
