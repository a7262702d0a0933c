import type { Adapter, AdapterPayload } from 'oidc-provider'

const maxEntries = 2_000

type Entry = { payload: AdapterPayload; expiresAt: number }

export function createDemoStorage(): (model: string) => Adapter {
  const entries = new Map<string, Entry>()
  const read = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > Date.now() ? entry : undefined
  }
  const dropOldest = () => {
    for (const key of entries.keys()) {
      if (entries.size <= maxEntries) return
      entries.delete(key)
    }
  }
  const findWhere = (model: string, isSought: (payload: AdapterPayload) => boolean) => {
    for (const [key, { payload }] of entries)
      if (key.startsWith(`${model}:`) && isSought(payload) && read(key)) return payload
    return undefined
  }

  return (model) => ({
    async upsert(id, payload, expiresInSeconds) {
      const key = `${model}:${id}`
      entries.delete(key)
      entries.set(key, {
        payload,
        expiresAt: Date.now() + (expiresInSeconds || Number.POSITIVE_INFINITY) * 1000,
      })
      dropOldest()
    },
    find: async (id) => read(`${model}:${id}`)?.payload,
    findByUid: async (uid) => findWhere(model, (payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const entry = read(`${model}:${id}`)
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key)
    },
  })
}
