import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { PageBasis } from '#web/ui/undo-offers.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { changesOf, type Draft, formFields, isNew, titleOf } from './record-draft.ts'

// Changes of records that nobody else has yet. They outlive a reload and the end of a session: the tab keeps them for the
// person who made them, whatever is selected meanwhile.

type Seen = Pick<FeatureDetail, 'mapId' | 'id'>

export type KeptDrafts = {
  of(feature: Seen): Draft | null
  /** All of them; the same while none has changed. */
  present(): readonly Draft[]
  /** Those in which something is changed. */
  all(): readonly Draft[]
  keep(draft: Draft): void
  forget(feature: Seen): void
  forgetAll(): void
  /** Returns how to stop. */
  listen(listener: () => void): () => void
}

const opened = new Map<string, KeptDrafts>()

/** Those of one person, on all maps; the same as long as the page is there. */
export function keptDrafts(personId: string): KeptDrafts {
  const key = `poa.unsaved-records.${personId}`
  const known = opened.get(key)
  if (known) return known
  const kept = open(key)
  opened.set(key, kept)
  return kept
}

function open(key: string): KeptDrafts {
  let drafts = readDrafts(key)
  const listeners = new Set<() => void>()
  function set(changed: readonly Draft[]) {
    drafts = changed
    writeDrafts(key, drafts)
    for (const listener of listeners) listener()
  }
  const isOf =
    ({ mapId, id }: Seen) =>
    ({ base }: Draft) =>
      base.mapId === mapId && base.id === id
  const others = (feature: Seen) => drafts.filter((draft) => !isOf(feature)(draft))
  const kept: KeptDrafts = {
    of: (feature) => drafts.find(isOf(feature)) ?? null,
    present: () => drafts,
    all: () => drafts.filter((draft) => changesOf(draft).length > 0),
    keep: (draft) => set([...others(draft.base), draft]),
    forget(feature) {
      if (kept.of(feature)) set(others(feature))
    },
    forgetAll: () => set([]),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return kept
}

/** What an undo depends on that replaces the draft of a feature, or brings it back: nobody has changed the draft since. */
export function leftAs(kept: KeptDrafts, feature: Seen): PageBasis {
  const left = kept.of(feature)
  const isAsLeft = () => kept.of(feature) === left
  return { mapId: feature.mapId, of: 'page', isAsLeft, listen: kept.listen }
}

/** Whoever is about to end the page is told of them. Returns how to take it back. */
export function announceDrafts(kept: KeptDrafts): () => void {
  return addUnsavedWork({
    isKept: true,
    describe() {
      const drafts = kept.all()
      return drafts.length === 0 ? null : drafts.map(describe).join('; ')
    },
    discard: kept.forgetAll,
  })
}

/** '‘Lot 7’: Owner, Area' */
const describe = (draft: Draft) =>
  `‘${titleOf(draft)}’: ${
    isNew(draft)
      ? 'not added yet'
      : changesOf(draft)
          .map(({ label }) => label)
          .join(', ')
  }`

function readDrafts(key: string): readonly Draft[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as Draft[]
    return kept.filter(isOfThisProgram)
  } catch {
    return []
  }
}

/** Another version of the program knew other fields. */
export const isOfThisProgram = ({ base, ownFields, values, geometry }: Draft) =>
  base.kind in definitions &&
  ownFields !== undefined &&
  geometry !== undefined &&
  formFields({ base, ownFields }).every(({ path }) => typeof values[path] === 'string')

function writeDrafts(key: string, drafts: readonly Draft[]) {
  try {
    if (drafts.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(drafts))
  } catch {
    // No more room: they stay on the page, which asks before it is left.
  }
}
