import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeStorage } from '#test/page/fake-storage.ts'
import { defineTabStore } from './tab-store.ts'

const define = () =>
  defineTabStore({
    name: 'work',
    empty: [] as readonly string[],
    read: (stored) => (Array.isArray(stored) ? stored.map(String) : null),
    open: (store) => store,
  })

const reopen = (...owner: string[]) => define()(...owner)

let storage: ReturnType<typeof fakeStorage>
beforeEach(() => {
  storage = fakeStorage()
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

describe('a tab store', () => {
  it('keeps work over a reload, for each owner', () => {
    reopen('map', 'ann').set(['a'])
    expect(reopen('map', 'ann').get()).toEqual(['a'])
    expect(reopen('map', 'bob').get()).toEqual([])
  })

  it('is the same object for the same owner', () => {
    const open = define()
    expect(open('ann')).toBe(open('ann'))
    expect(open('ann')).not.toBe(open('bob'))
  })

  it('stores nothing while nothing is unsaved', () => {
    reopen('ann').set(['a'])
    reopen('ann').set([])
    expect(storage.getItem('poa.work.ann')).toBeNull()
  })

  it('reads values of the first version, which were stored plain', () => {
    storage.setItem('poa.work.ann', '["old"]')
    expect(reopen('ann').get()).toEqual(['old'])
  })

  it.each([
    ['damaged text', '["a'],
    ['a value that it cannot read', '{"a":1}'],
    ['a later version', '{"version":2,"value":["a"]}'],
  ])('discards %s', (_, text) => {
    storage.setItem('poa.work.ann', text)
    expect(reopen('ann').get()).toEqual([])
  })

  it('keeps work on the page while the tab has no room', () => {
    const store = reopen('ann')
    storage.isFull = true
    store.set(['a'])
    expect(store.get()).toEqual(['a'])
    expect(store.isStored()).toBe(false)
    storage.isFull = false
    store.set(['a', 'b'])
    expect(store.isStored()).toBe(true)
    expect(reopen('ann').get()).toEqual(['a', 'b'])
  })

  it('stores nothing without a way to read it', () => {
    const store = defineTabStore({ name: 'page', empty: '', open: (opened) => opened })('ann')
    store.set('text')
    expect(storage.getItem('poa.page.ann')).toBeNull()
    expect(store.get()).toBe('text')
  })
})
