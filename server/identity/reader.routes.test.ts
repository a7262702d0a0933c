import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, aParcel, storeClient, storeFeatures } from '#test/feature-builders.ts'
import { signIn } from '#test/signed-in.ts'
import { startTestApp } from '#test/test-app.ts'

onEachEngine('a reader', (createDatabase) => {
  it('sees on their map what staff see, and changes nothing', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const [parcel, asset] = [aParcel({ owner: 'Mary Okoye' }), anAsset({})]
    await storeFeatures(database, [parcel, asset])
    await using app = await startTestApp(database)
    const reader = await signIn(database, ['reader:oak-hills'])
    const path = (id: string) => `/api/maps/oak-hills/features/${id}`
    expect((await app.get(path(parcel.id), reader)).json()).toMatchObject({ owner: 'Mary Okoye' })
    expect((await app.get(path(parcel.id))).body).not.toContain('Okoye')
    const offline = async (headers: Record<string, string>) => {
      const answer = await app.send({
        method: 'PUT',
        url: `${path(asset.id)}/status`,
        headers: { ...headers, 'if-match': '"1"' },
        payload: { status: 'offline' },
      })
      return answer.statusCode
    }
    expect(await offline(reader)).toBe(403)
    expect(await offline(await signIn(database, ['editor:oak-hills']))).toBe(200)
  })
})
