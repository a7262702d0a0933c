import { type CustomField, newOwnKey, type OwnChoice } from '#domain/definition/custom-field.ts'
import { type CustomFieldsAnswer, customFieldsChange } from '#domain/features/custom-fields.schema.ts'
import { type CustomFields, mapKinds } from '#domain/features/custom-fields.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { capitalized } from '#domain/values/wording.ts'
import { compareEdits, differingFields, type Side } from '#web/ui/unsaved/compare-edits.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'

// New fields and choices get a key from their final name.

/** `id` is the key of React; an empty `key` is new. */
export type DraftChoice = OwnChoice & { id: string }
export type DraftField = Omit<CustomField, 'choices'> & { id: string; choices: readonly DraftChoice[] }
export type DraftFields = { readonly [Kind in DefinedKind]: readonly DraftField[] }
export type CustomFieldsDraft = {
  base: CustomFieldsAnswer
  fields: DraftFields
  /** Kinds whose fields another user changed, too. */
  conflicts: readonly DefinedKind[]
}

export const toDraftField = (own: CustomField): DraftField => ({
  ...own,
  id: own.key,
  choices: own.choices.map((choice) => ({ ...choice, id: choice.key })),
})

export const draftOf = (base: CustomFieldsAnswer): CustomFieldsDraft => ({
  base,
  fields: mapKinds(base.fields, (some) => some.map(toDraftField)),
  conflicts: [],
})

const kinds = Object.keys(definitions) as DefinedKind[]

/** Edited kinds stay, the others follow `theirs`. */
export function rebaseFields(draft: CustomFieldsDraft, theirs: CustomFieldsAnswer): CustomFieldsDraft {
  const mine = fieldsOfDraft(draft)
  const edited = differingFields(kinds, draft.base.fields, mine)
  const changed = differingFields(kinds, draft.base.fields, theirs.fields)
  const differing = differingFields(kinds, mine, theirs.fields)
  const before = { conflicts: draft.conflicts, updated: [] }
  const { conflicts } = compareEdits(kinds, { edited, changed, differing }, before)
  const retained = Object.fromEntries([...edited].map((kind) => [kind, draft.fields[kind]]))
  return { base: theirs, fields: { ...draftOf(theirs).fields, ...retained }, conflicts }
}

export function settleKind(draft: CustomFieldsDraft, kind: DefinedKind, side: Side): CustomFieldsDraft {
  const theirs = draft.base.fields[kind].map(toDraftField)
  const fields = side === 'mine' ? draft.fields : { ...draft.fields, [kind]: theirs }
  return { ...draft, fields, conflicts: draft.conflicts.filter((other) => other !== kind) }
}

export function fieldsOfDraft({ base, fields }: CustomFieldsDraft): CustomFields {
  return mapKinds(fields as CustomFields, (_, kind) => {
    const taken = new Set([...fields[kind], ...base.removed[kind]].map(({ key }) => key))
    return fields[kind].map(({ id: _, ...own }): CustomField => {
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

export function changesOfDraft(draft: CustomFieldsDraft): string[] {
  const after = fieldsOfDraft(draft)
  const before = draft.base.fields
  const labels = mapKinds(after, (some, kind) => {
    const removed = before[kind].filter(({ key }) => !some.some((own) => own.key === key))
    const changed = some.filter((own, index) => {
      const previous = before[kind].find(({ key }) => key === own.key)
      const isMoved =
        removed.length === 0 && previous !== undefined && before[kind].indexOf(previous) !== index
      return isMoved || !isEqual(previous, own)
    })
    return [...changed, ...removed].map(({ label }) => label || 'new field')
  })
  return Object.values(labels).flat()
}

export function problemsOfDraft(draft: CustomFieldsDraft): Map<string, string> {
  const { error } = customFieldsChange.safeParse({ fields: fieldsOfDraft(draft) })
  const problems = (error?.issues ?? []).map(({ path, message }): [string, string] => {
    const place = path
      .slice(1)
      .join('.')
      .replace(/\.key$/, '.label')
    return [place, capitalized(message)]
  })
  return new Map(problems.toReversed())
}

export const unsavedFields = defineTabStore({
  name: 'unsaved-fields',
  empty: null as CustomFieldsDraft | null,
  read(stored) {
    const draft = stored as CustomFieldsDraft
    // Another version of the program may have had other kinds. An earlier one stored no conflicts.
    const isReadable = customFieldsChange.safeParse({ fields: draft.base.fields }).success
    return isReadable ? { ...draft, conflicts: draft.conflicts ?? [] } : null
  },
  open: (store) => store,
})
