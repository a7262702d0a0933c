import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startReceiver } from '#test/server/webhook-receiver.ts'
import { anEndpointRow } from '#test/server/webhook-rows.ts'
import { insideSettings } from '#test/server/webhooks.ts'
import { insertEndpoint } from './webhooks.queries.ts'

/** A proxy without a listener, which Node would use for every request. */
const proxySettings = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
}

onEachEngine('a server that is killed between a change and its webhook', (createDatabase) => {
  it('is replaced by the next one, which sends the webhook under the same id', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [anAsset({ id: 'tank' })])
    using receiver = await startReceiver()
    const events = '["feature.changed"]'
    await database.write((transaction) =>
      insertEndpoint(transaction, anEndpointRow({ url: receiver.url, events })),
    )
    const settings = { PUBLIC_URL: 'http://localhost:3000', ...insideSettings }
    const headers = {
      ...(await signIn(database, 'administrator', { settings })),
      'if-match': '*',
      'content-type': 'application/json',
    }
    const arrived = Promise.withResolvers<void>()
    receiver.answerWith(() => arrived.resolve())
    {
      await using server = await startServer({
        ...settingsOf(database.location),
        ...settings,
        ...proxySettings,
      })
      const answer = await fetch(`${server.url}/api/maps/oak-hills/features/tank/status`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ status: 'offline' }),
      })
      expect(answer.status).toBe(200)
      await arrived.promise
      await server.stop('SIGKILL')
    }
    receiver.answerStatus(204)
    const [before] = await database.read.selectFrom('webhook_endpoints').selectAll().execute()
    expect(before?.locked_by).toEqual(expect.any(String))
    await database.write((transaction) =>
      transaction.updateTable('webhook_endpoints').set({ locked_until: Date.now() }).execute(),
    )
    await using _ = await startServer({ ...settingsOf(database.location), ...settings, ...proxySettings })
    await expect
      .poll(
        () => database.read.selectFrom('webhook_deliveries').select(['delivered_at', 'tries']).execute(),
        {
          timeout: 30_000,
        },
      )
      .toEqual([{ delivered_at: expect.any(Number), tries: 1 }])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  }, 60_000)
})
