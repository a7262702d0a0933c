import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { aParcel } from '#test/databases/feature-builders.ts'
import { fakeStorage } from '#test/page/fake-storage.ts'
import { draftOfNew, newDraft } from './record-draft.ts'
import type { UnsavedCell } from './unsaved-cells.ts'

const lot = { ...aParcel({ name: 'Lot 7' }), version: 1, referenceNames: {} } as unknown as FeatureDetail
const clean = newDraft(lot, noCustomFields)
const draft = { ...clean, values: { ...clean.values, name: 'Lot 8' } }

async function reload() {
  vi.resetModules()
  const { recordDrafts } = await import('./record-drafts.ts')
  const { unsavedCells } = await import('./unsaved-cells.ts')
  return { drafts: recordDrafts('ann'), cells: unsavedCells('ann') }
}

let storage: ReturnType<typeof fakeStorage>
beforeEach(() => {
  storage = fakeStorage()
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

describe('record drafts', () => {
  it('survive a reload, changed and new', async () => {
    const { drafts } = await reload()
    const added = draftOfNew(lot.mapId, 'new', { kind: 'asset', name: 'Culvert' }, noCustomFields)
    drafts.save(draft)
    drafts.save(added)
    const { drafts: after } = await reload()
    expect(after.find(lot)).toEqual(draft)
    expect(after.find({ mapId: lot.mapId, id: 'new' })).toEqual(added)
    after.discard(lot)
    expect(after.changed()).toEqual([added])
  })

  it('read conflicts stored by the previous version', async () => {
    const { conflicts: _, updated: __, ...stored } = draft
    storage.setItem(
      'poa.unsaved-records.ann',
      JSON.stringify([{ ...stored, asked: ['name'], told: ['owner'] }]),
    )
    const { drafts } = await reload()
    expect(drafts.find(lot)).toEqual({ ...draft, conflicts: ['name'], updated: ['owner'] })
  })

  it('are discarded if they have unknown fields', async () => {
    const { name: _, ...values } = draft.values
    storage.setItem('poa.unsaved-records.ann', JSON.stringify([{ ...draft, values }]))
    expect((await reload()).drafts.find(lot)).toBeNull()
  })
})

describe('unsaved cells', () => {
  const place = { mapId: lot.mapId, id: lot.id, column: 'name' }
  const cell: UnsavedCell = {
    mapId: lot.mapId,
    feature: lot as unknown as UnsavedCell['feature'],
    path: 'name',
    column: 'name',
    label: 'Name',
    text: 'Lot 8',
    draft,
    asSaved: null,
    state: 'waiting',
    problem: null,
  }

  it('are refused after a reload if they were not saved', async () => {
    const { cells } = await reload()
    cells.add(cell)
    const { cells: after } = await reload()
    expect(after.find(place)).toMatchObject({
      text: 'Lot 8',
      state: 'refused',
      problem: 'You left the page before this was saved.',
    })
  })

  it('are replaced by later input, unless they are saving', async () => {
    const { cells } = await reload()
    cells.add(cell)
    cells.add({ ...cell, text: 'Lot 9', state: 'saving' })
    cells.add({ ...cell, text: 'Lot 10' })
    expect(cells.all().map(({ text }) => text)).toEqual(['Lot 9', 'Lot 10'])
  })
})
