import { describe, expect, it } from 'vitest'
import type { ChangedPart } from './activity-rules.ts'
import { effectOnUndo, type UndoBasis } from './undo-basis.ts'

const mapId = 'oak-hill'
const feature: UndoBasis = { mapId, of: 'feature', id: 'a', version: 3 }
const removed: UndoBasis = { mapId, of: 'removed feature', id: 'a', version: 3, changeId: 'c' }
const entry: UndoBasis = { mapId, of: 'maintenance entry', featureId: 'a', entryId: 'e', entry: null }
const bulk: UndoBasis = { mapId, of: 'bulk change', changeId: 'c' }
const files: UndoBasis = { mapId, of: 'files', featureId: 'a', files: [{ id: 'f', version: 1 }] }
const removedFile: UndoBasis = { mapId, of: 'removed file', featureId: 'a', fileId: 'f' }
const configuration: UndoBasis = { mapId, of: 'configuration', version: 3 }
const archiving: UndoBasis = { mapId, of: 'archiving', version: 3 }
const report: UndoBasis = { mapId, of: 'report', id: 'a', version: 3 }
const all = [feature, removed, entry, bulk, files, removedFile, configuration, archiving, report]

/** One letter for each basis, in the order of `all`: - none, e ends, ? only the server knows. */
const effects = (change: Parameters<typeof effectOnUndo>[1]) =>
  all.map((basis) => ({ none: '-', ends: 'e', unknown: '?' })[effectOnUndo(basis, change)]).join('')

describe('the effect of a change on an undo', () => {
  it.each<[string, ChangedPart, string | null, number | null, string]>([
    ['a change before the removal, heard after it', 'feature', 'a', 3, '--????---'],
    ['a newer change of the feature', 'feature', 'a', 4, 'ee????---'],
    ['a newer status of the feature', 'status', 'a', 4, 'ee????---'],
    ['maintenance of the feature', 'maintenance', 'a', 4, 'ee????---'],
    ['the feature is removed', 'features', 'a', null, 'e-????---'],
    ['the feature is restored', 'features', 'a', 4, 'ee????---'],
    ['another feature', 'feature', 'b', 9, '---?-----'],
    ['a bulk change', 'features', null, null, '??????---'],
    ['an import', 'imports', 'i', null, '??????---'],
    ['files of the feature', 'files', 'a', null, '----??---'],
    ['files of another feature', 'files', 'b', null, '---------'],
    ['own settings, heard again', 'configuration', null, 3, '---------'],
    ['newer settings', 'configuration', null, 4, '------e--'],
    ['own archiving, heard again', 'everything', mapId, 3, '???????-?'],
    ['archived or restored since', 'everything', mapId, 4, '???????e?'],
    ['a lost connection', 'everything', null, null, '???????-?'],
    ['a newer decision on the report', 'reports', 'a', 4, '--------e'],
    ['the own decision, heard again', 'reports', 'a', 3, '---------'],
    ['another report', 'reports', 'b', 9, '---------'],
    ['a drawing', 'drawings', 'd', 9, '---------'],
  ])('%s', (_, part, id, version, expected) => {
    expect(effects({ mapId, part, id, version })).toBe(expected)
  })

  it('is none for changes of another map', () => {
    const change = { mapId: 'elm-hill', part: 'everything', id: null, version: null } as const
    expect(effects(change)).toBe('---------')
  })
})
