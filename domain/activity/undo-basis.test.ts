import { describe, expect, it } from 'vitest'
import type { ChangedPart } from './activities.ts'
import { effectOnUndo, type UndoBasis } from './undo-basis.ts'

const mapId = 'oak-hill'
const feature: UndoBasis = { mapId, of: 'feature', id: 'a', version: 3 }
const removed: UndoBasis = { mapId, of: 'removed feature', id: 'a', version: 3, changeId: 'c' }
const entry: UndoBasis = { mapId, of: 'maintenance entry', featureId: 'a', entryId: 'e', left: null }
const bulk: UndoBasis = { mapId, of: 'bulk change', changeId: 'c' }
const files: UndoBasis = { mapId, of: 'files', featureId: 'a', files: [{ id: 'f', version: 1 }] }
const removedFile: UndoBasis = { mapId, of: 'removed file', featureId: 'a', fileId: 'f' }
const configuration: UndoBasis = { mapId, of: 'configuration', version: 3 }
const archiving: UndoBasis = { mapId, of: 'archiving', version: 3 }
const all = [feature, removed, entry, bulk, files, removedFile, configuration, archiving]

const effects = (part: ChangedPart, id: string | null, version: number | null) =>
  all.map((basis) => effectOnUndo(basis, { mapId, part, id, version }))

const [none, ends, unknown] = ['none', 'ends', 'unknown'] as const

describe('the effect of a change on an undo', () => {
  it.each<[string, ReturnType<typeof effects>, ReturnType<typeof effects>]>([
    // In the order of `all`.
    [
      'a change before the removal, heard after it',
      effects('feature', 'a', 3),
      [none, none, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'a newer change of the feature',
      effects('feature', 'a', 4),
      [ends, ends, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'a newer status of the feature',
      effects('status', 'a', 4),
      [ends, ends, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'maintenance of the feature',
      effects('maintenance', 'a', 4),
      [ends, ends, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'the feature is removed',
      effects('features', 'a', null),
      [ends, none, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'the feature is put back',
      effects('features', 'a', 4),
      [ends, ends, unknown, unknown, unknown, unknown, none, none],
    ],
    ['another feature', effects('feature', 'b', 9), [none, none, none, unknown, none, none, none, none]],
    [
      'a bulk change',
      effects('features', null, null),
      [unknown, unknown, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'an import',
      effects('imports', 'i', null),
      [unknown, unknown, unknown, unknown, unknown, unknown, none, none],
    ],
    [
      'files of the feature',
      effects('files', 'a', null),
      [none, none, none, none, unknown, unknown, none, none],
    ],
    [
      'files of another feature',
      effects('files', 'b', null),
      [none, none, none, none, none, none, none, none],
    ],
    [
      'own settings, heard again',
      effects('configuration', null, 3),
      [none, none, none, none, none, none, none, none],
    ],
    ['newer settings', effects('configuration', null, 4), [none, none, none, none, none, none, ends, none]],
    [
      'own archiving, heard again',
      effects('everything', mapId, 3),
      [unknown, unknown, unknown, unknown, unknown, unknown, unknown, none],
    ],
    [
      'archived or restored since',
      effects('everything', mapId, 4),
      [unknown, unknown, unknown, unknown, unknown, unknown, unknown, ends],
    ],
    [
      'a lost connection',
      effects('everything', null, null),
      [unknown, unknown, unknown, unknown, unknown, unknown, unknown, none],
    ],
    ['a drawing', effects('drawings', 'd', 9), [none, none, none, none, none, none, none, none]],
  ])('%s', (_, effect, expected) => {
    expect(effect).toEqual(expected)
  })

  it('changes of another map have none', () => {
    const change = { mapId: 'elm-hill', part: 'everything', id: null, version: null } as const
    expect(all.map((basis) => effectOnUndo(basis, change))).toEqual(all.map(() => none))
  })
})
