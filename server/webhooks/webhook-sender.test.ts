import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, storeFeatures } from '#test/feature-builders.ts'
import { startWebhooks } from '#test/webhooks.ts'

onEachEngine('webhooks', (createDatabase) => {
  it('tell a receiver what changed, signed, and nothing of how it is', async () => {
    const database = await createDatabase()
    const { app, headers, receiver, add, startSender } = await startWebhooks(database)
    await storeFeatures(database, [anAsset({ id: 'tank', name: 'Secret tank' })])
    const { secret } = await add()
    const answer = await app.send({
      method: 'PUT',
      url: '/api/maps/oak-hills/features/tank/status',
      headers: { ...headers, 'if-match': '"1"' },
      payload: { status: 'offline' },
    })
    expect(answer.statusCode).toBe(200)
    await startSender().work()
    expect(receiver.messages()).toEqual([
      {
        type: 'feature.changed',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: {
          mapId: 'oak-hills',
          subject: 'tank',
          kind: 'asset',
          version: 2,
          link: 'http://localhost:3000/api/maps/oak-hills/features/tank',
        },
      },
    ])
    const [{ body, headers: sent } = { body: '', headers: {} }] = receiver.received
    const verified = new Webhook(secret).verify(body, sent as Record<string, string>)
    expect(verified).toEqual(JSON.parse(body))
    const forged = () => new Webhook(secret).verify(`${body} `, sent as Record<string, string>)
    expect(forged).toThrow('No matching signature')
  })
})
