import type { Field } from '#domain/definition/definition.ts'
import type { MaintenanceEntry, NewMaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { read } from '#web/records/record-draft.ts'
import { today } from '#web/ui/time-zone.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

export const entryFields = {
  date: { label: 'Done on', value: { type: 'day' }, isRequired: true },
  performedBy: { label: 'Done by', value: { type: 'line', maxLength: 200 } },
  text: { label: 'Work done', value: { type: 'prose', maxLength: 2_000 }, isRequired: true },
  cost: { label: 'Cost', value: { type: 'number', min: 0, unit: 'dollars' } },
  hours: { label: 'Hours', value: { type: 'number', min: 0 } },
  nextDue: {
    label: 'Next due',
    help: 'Only if different from the plan.',
    value: { type: 'day' },
  },
} as const satisfies Record<string, Field>

export type EntryField = keyof typeof entryFields
export const entryFieldNames = Object.keys(entryFields) as EntryField[]
type EntryTexts = Record<EntryField, string>

export type EntryDraft = {
  /** Chosen by the page, so that repeated requests add one entry. */
  id: string
  base: MaintenanceEntry | null
  texts: EntryTexts
  files: readonly File[]
}

export const draftOfNewEntry = (id: string, text: string): EntryDraft => ({
  id,
  base: null,
  texts: { date: today(), performedBy: '', text, cost: '', hours: '', nextDue: '' },
  files: [],
})

export const draftOfEntry = (base: MaintenanceEntry): EntryDraft => ({
  id: base.id,
  base,
  texts: textsOf(base),
  files: [],
})

function textsOf({ date, performedBy, text, costCents, hours, nextDue }: MaintenanceEntry): EntryTexts {
  return {
    date,
    performedBy: performedBy ?? '',
    text,
    cost: costCents === null ? '' : (costCents / 100).toFixed(costCents % 100 === 0 ? 0 : 2),
    hours: hours === null ? '' : String(hours),
    nextDue: nextDue ?? '',
  }
}

export const hasChanges = (draft: EntryDraft): boolean => draft.files.length > 0 || isEdited(draft)

export function isEdited({ base, texts }: EntryDraft): boolean {
  const before =
    base === null ? { ...texts, performedBy: '', cost: '', hours: '', nextDue: '' } : textsOf(base)
  const isWritten = base === null && texts.text.trim() !== ''
  return isWritten || entryFieldNames.some((name) => texts[name] !== before[name])
}

export function readEntry({ texts }: EntryDraft): {
  values: Omit<NewMaintenanceEntry, 'id'>
  problems: ReadonlyMap<EntryField, string>
} {
  const problems = new Map<EntryField, string>()
  const value = (name: EntryField): unknown => {
    const input = read(entryFields[name], texts[name])
    if ('problem' in input) problems.set(name, input.problem)
    return 'problem' in input ? null : input.value
  }
  const cost = value('cost') as number | null
  const values = {
    date: value('date') as string,
    performedBy: value('performedBy') as string | null,
    text: value('text') as string,
    costCents: cost === null ? null : Math.round(cost * 100),
    hours: value('hours') as number | null,
    nextDue: value('nextDue') as string | null,
  }
  if (!problems.has('text') && texts.text.trim() === '') problems.set('text', 'Must not be empty')
  return { values, problems }
}

/** The field of an error of the server, which names the cost by its unit. */
export const fieldOfError = (name: string): string => (name === 'costCents' ? 'cost' : name)

type Unsaved = { draft: EntryDraft; assetName: string }

/** Only the page keeps it: files cannot be stored in the tab. */
export const unsavedEntry = defineTabStore({
  name: 'unsaved-entries',
  empty: null as Unsaved | null,
  open(store) {
    addUnsavedWork({
      isStored: false,
      describe: () => store.get() && `‘${store.get()?.assetName}’: maintenance entry`,
      discard: () => store.set(null),
    })
    return {
      get: () => store.get()?.draft ?? null,
      /** Discards an entry without changes. */
      save: (draft: EntryDraft | null, assetName: string) =>
        store.set(draft && hasChanges(draft) ? { draft, assetName } : null),
    }
  },
})
