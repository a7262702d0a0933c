import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { type EntryDraft, isTouched } from './entry-draft.ts'

// Entries that somebody has begun to write. The page keeps them while something else is looked at, and asks before it is
// left.

type Owner = { personId: string; mapId: string; featureId: string }

type Kept = { draft: EntryDraft; assetName: string }

const kept = new Map<string, Kept>()
const keyOf = ({ personId, mapId, featureId }: Owner) => JSON.stringify([personId, mapId, featureId])

addUnsavedWork({
  isKept: false,
  describe: () =>
    kept.size === 0
      ? null
      : [...kept.values()].map(({ assetName }) => `‘${assetName}’: maintenance entry`).join('; '),
  discard: () => kept.clear(),
})

export const keptEntry = (owner: Owner): EntryDraft | null => kept.get(keyOf(owner))?.draft ?? null

/** One that says nothing yet is not kept. */
export function keepEntry(owner: Owner, draft: EntryDraft | null, assetName: string) {
  if (draft && isTouched(draft)) kept.set(keyOf(owner), { draft, assetName })
  else kept.delete(keyOf(owner))
}
