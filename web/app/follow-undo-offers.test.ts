import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Roles } from '#domain/access/access.ts'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { MapChange } from '#web/api/changes.ts'
import { followChanges } from '#web/api/changes.ts'
import { sessionQuery } from '#web/api/session.api.ts'
import type { PageBasis } from '#web/ui/undo-offers.ts'
import { currentOffers, offerUndo, takeOffer, withdrawOffers } from '#web/ui/undo-offers.ts'
import { followUndoOffers } from './follow-undo-offers.ts'

afterAll(() => vi.unstubAllGlobals())

const mapId = 'oak-hill'
let client: QueryClient
let stop: () => void
let answers: Record<string, unknown>

beforeEach(() => {
  answers = {}
  vi.stubGlobal('fetch', async (address: string) => {
    const found = Object.entries(answers).find(([path]) => address.endsWith(path))
    return Response.json(found ? found[1] : { title: 'Not found' }, { status: found ? 200 : 404 })
  })
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  signIn('ann', { isAdministrator: false, ofMaps: { [mapId]: 'manager' } })
  stop = followUndoOffers(client)
})
afterEach(() => {
  stop()
  withdrawOffers(() => true)
})

function signIn(id: string, roles: Roles) {
  client.setQueryData(sessionQuery.queryKey, {
    person: { id, name: id, roles },
    expiresAt: null,
    isDemo: false,
  })
}
const offer = (dependsOn: UndoBasis | PageBasis) => offerUndo({ dependsOn, undo: vi.fn() })
const hear = (change: Omit<MapChange, 'mapId'>) => followChanges(client, [{ mapId, ...change }])
const of = (offers: ReturnType<typeof currentOffers>) => offers.map(({ dependsOn }) => dependsOn.of)

const feature = { mapId, of: 'feature', id: 'a', version: 3 } as const
const bulk = { mapId, of: 'bulk change', changeId: 'c' } as const
const configuration = { mapId, of: 'configuration', version: 2 } as const

describe('an offer to undo', () => {
  it('is withdrawn when the record is changed again', () => {
    offer(feature)
    hear({ part: 'feature', id: 'a', version: 3 })
    hear({ part: 'feature', id: 'b', version: 9 })
    expect(of(currentOffers())).toEqual(['feature'])
    hear({ part: 'status', id: 'a', version: 4 })
    expect(currentOffers()).toEqual([])
  })

  it('is withdrawn after a bulk change or an import of the record', async () => {
    answers['/features/a'] = { id: 'a', version: 3 }
    offer(feature)
    hear({ part: 'imports', id: 'i', version: null })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(of(currentOffers())).toEqual(['feature'])
    answers['/features/a'] = { id: 'a', version: 4 }
    hear({ part: 'features', id: null, version: null })
    await vi.waitFor(() => expect(currentOffers()).toEqual([]))
  })

  it('is withdrawn when the record is removed', async () => {
    offer(feature)
    hear({ part: 'everything', id: null, version: null })
    await vi.waitFor(() => expect(currentOffers()).toEqual([]))
  })

  it('of a removal is withdrawn when the record is restored', () => {
    offer({ mapId, of: 'removed feature', id: 'a', version: 3, changeId: 'c' })
    hear({ part: 'feature', id: 'a', version: null })
    expect(currentOffers()).toHaveLength(1)
    hear({ part: 'features', id: 'a', version: 5 })
    expect(currentOffers()).toEqual([])
  })

  it('of a bulk change is withdrawn when it was undone elsewhere', async () => {
    answers['/bulk-changes/c'] = { canUndo: true }
    offer(bulk)
    hear({ part: 'features', id: null, version: null })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(of(currentOffers())).toEqual(['bulk change'])
    answers['/bulk-changes/c'] = { canUndo: false }
    hear({ part: 'features', id: null, version: null })
    await vi.waitFor(() => expect(currentOffers()).toEqual([]))
  })

  it('of a maintenance entry stays until the entry changes', async () => {
    const entryAfter = { id: 'e', date: '2026-11-01', text: 'Flushed', version: 2 } as never
    answers['/features/a/maintenance'] = {
      items: [{ id: 'e', date: '2026-11-01', text: 'Flushed', version: 5 }],
    }
    offer({ mapId, of: 'maintenance entry', featureId: 'a', entryId: 'e', entry: entryAfter })
    hear({ part: 'maintenance', id: 'a', version: 5 })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(currentOffers()).toHaveLength(1)
    answers['/features/a/maintenance'] = {
      items: [{ id: 'e', date: '2026-11-01', text: 'Painted', version: 6 }],
    }
    hear({ part: 'maintenance', id: 'a', version: 6 })
    await vi.waitFor(() => expect(currentOffers()).toEqual([]))
  })

  it('of a file is withdrawn when the file is changed again', async () => {
    answers['/features/a/files'] = { items: [{ id: 'f', version: 2 }], removed: [] }
    offer({ mapId, of: 'files', featureId: 'a', files: [{ id: 'f', version: 1 }] })
    hear({ part: 'files', id: 'a', version: null })
    await vi.waitFor(() => expect(currentOffers()).toEqual([]))
  })

  it('for settings is withdrawn when they change again', () => {
    offer(configuration)
    hear({ part: 'configuration', id: null, version: 2 })
    expect(currentOffers()).toHaveLength(1)
    hear({ part: 'configuration', id: null, version: 3 })
    expect(currentOffers()).toEqual([])
  })

  it('of a draft is withdrawn when the draft is changed', () => {
    let [draft, listener] = ['', () => {}]
    const listen = (heard: () => void) => {
      listener = heard
      return () => {
        listener = () => {}
      }
    }
    offer({ mapId, of: 'page', isAsLeft: () => draft === '', listen })
    listener()
    expect(currentOffers()).toHaveLength(1)
    draft = 'typed since'
    listener()
    expect(currentOffers()).toEqual([])
  })

  it('stays if the server fails to answer', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ title: 'Failed' }, { status: 500 }))
    offer(feature)
    hear({ part: 'features', id: null, version: null })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(currentOffers()).toHaveLength(1)
  })

  it('is withdrawn when the session ends or another user signs in', () => {
    offer(feature)
    signIn('ben', { isAdministrator: true, ofMaps: {} })
    expect(currentOffers()).toEqual([])
    offer(feature)
    client.setQueryData(sessionQuery.queryKey, (answer) => answer && { ...answer, person: null })
    expect(currentOffers()).toEqual([])
  })

  it('is withdrawn when the user loses the required role', () => {
    offer(feature)
    offer(configuration)
    signIn('ann', { isAdministrator: false, ofMaps: { [mapId]: 'editor' } })
    expect(of(currentOffers())).toEqual(['feature'])
    signIn('ann', { isAdministrator: false, ofMaps: {} })
    expect(currentOffers()).toEqual([])
  })

  it('can be used once, and not after it was withdrawn', () => {
    const [one, other] = [offer(feature), offer(configuration)]
    takeOffer(one)
    takeOffer(one)
    expect(one.undo).toHaveBeenCalledTimes(1)
    withdrawOffers((offer) => offer === other)
    takeOffer(other)
    expect(other.undo).not.toHaveBeenCalled()
  })
})
