import {
  type MapConfigurationAnswer,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { type FormValues, formValues } from './form-values.ts'

// A working copy outlives a reload and the end of a session: the tab keeps it for the person who made it.

type Kept = { base: MapConfigurationAnswer; values: FormValues }

const keyOf = (mapId: string, personId: string) => `poa.unsaved-settings.${mapId}.${personId}`

/** What this tab keeps of an earlier page; null where there is nothing that can be gone on with. */
export function readKeptDraft(present: MapConfigurationAnswer, personId: string): Kept | null {
  try {
    const text = sessionStorage.getItem(keyOf(present.mapId, personId))
    if (text === null) return null
    const { base, values } = JSON.parse(text) as Kept
    // It may be of another version of the program, which knew other fields.
    const isKnown = mapConfiguration.safeParse(base.configuration).success
    const known = base.version === present.version || !isKnown ? present : base
    return { base: known, values: { ...formValues(known.configuration), ...values } }
  } catch {
    return null
  }
}

export function keepDraft(personId: string, draft: Kept) {
  try {
    sessionStorage.setItem(keyOf(draft.base.mapId, personId), JSON.stringify(draft))
  } catch {
    // No more room: it stays on the page, which asks before it is left.
  }
}

export function forgetDraft(mapId: string, personId: string) {
  sessionStorage.removeItem(keyOf(mapId, personId))
}
