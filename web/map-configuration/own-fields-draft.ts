import { newOwnKey, type OwnChoice, type OwnField } from '#domain/definition/own-field.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { type OwnFieldsAnswer, ownFieldsChange } from '#domain/features/own-fields.schema.ts'
import { mapKinds, type OwnFields } from '#domain/features/own-fields.ts'

// The working copy of a client's own fields. What is new has no key yet: it gets one of what it is called in the end. A
// working copy outlives a reload and the end of a session: the tab keeps it for the person who made it.

/** `id` tells them apart on the page; an empty key is new. */
export type DraftChoice = OwnChoice & { id: string }
export type DraftField = Omit<OwnField, 'choices'> & { id: string; choices: readonly DraftChoice[] }
export type DraftFields = { readonly [Kind in DefinedKind]: readonly DraftField[] }
export type OwnFieldsDraft = { base: OwnFieldsAnswer; fields: DraftFields }

export const toDraftField = (own: OwnField): DraftField => ({
  ...own,
  id: own.key,
  choices: own.choices.map((choice) => ({ ...choice, id: choice.key })),
})

export const draftOf = (base: OwnFieldsAnswer): OwnFieldsDraft => ({
  base,
  fields: mapKinds(base.fields, (some) => some.map(toDraftField)),
})

/** As the server takes them. */
export function fieldsOfDraft({ base, fields }: OwnFieldsDraft): OwnFields {
  return mapKinds(fields as OwnFields, (_, kind) => {
    const taken = new Set([...fields[kind], ...base.removed[kind]].map(({ key }) => key))
    return fields[kind].map(({ id: _, ...own }): OwnField => {
      const label = own.label.trim()
      const key = own.key || newOwnKey(label, taken)
      taken.add(key)
      const help = own.help?.trim() || null
      return { ...own, key, label, help, choices: own.type === 'choice' ? toChoices(own.choices) : [] }
    })
  })
}

function toChoices(choices: readonly DraftChoice[]): OwnChoice[] {
  const taken = new Set(choices.map(({ key }) => key))
  return choices.map((choice) => {
    const label = choice.label.trim()
    const key = choice.key || newOwnKey(label, taken)
    taken.add(key)
    return { key, label }
  })
}

/** What those are called that come, go or change. */
export function changesOfDraft(draft: OwnFieldsDraft): string[] {
  const after = fieldsOfDraft(draft)
  const before = draft.base.fields
  const labels = mapKinds(after, (some, kind) => {
    const gone = before[kind].filter(({ key }) => !some.some((own) => own.key === key))
    const changed = some.filter((own, index) => {
      const former = before[kind].find(({ key }) => key === own.key)
      const isMoved = gone.length === 0 && former !== undefined && before[kind].indexOf(former) !== index
      return isMoved || JSON.stringify(former) !== JSON.stringify(own)
    })
    return [...changed, ...gone].map(({ label }) => label || 'a new field')
  })
  return Object.values(labels).flat()
}

/** What keeps a draft from being saved, by the path of the control: 'asset.0.label'. */
export function problemsOfDraft(draft: OwnFieldsDraft): Map<string, string> {
  const { error } = ownFieldsChange.safeParse({ fields: fieldsOfDraft(draft) })
  const problems = (error?.issues ?? []).map(({ path, message }): [string, string] => {
    const place = path
      .slice(1)
      .join('.')
      .replace(/\.key$/, '.label')
    return [place, message.charAt(0).toUpperCase() + message.slice(1)]
  })
  return new Map(problems.toReversed())
}

const keyOf = (mapId: string, personId: string) => `poa.unsaved-fields.${mapId}.${personId}`

export function readKeptFields(mapId: string, personId: string): OwnFieldsDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(mapId, personId)) ?? 'null') as OwnFieldsDraft | null
    // Another version of the program may have known other kinds.
    return kept && ownFieldsChange.safeParse({ fields: kept.base.fields }).success ? kept : null
  } catch {
    return null
  }
}

export function keepFields(mapId: string, personId: string, draft: OwnFieldsDraft | null) {
  try {
    if (draft) sessionStorage.setItem(keyOf(mapId, personId), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(mapId, personId))
  } catch {
    // No more room: it stays on the page, which asks before it is left.
  }
}
