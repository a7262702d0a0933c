import type { Field } from '#domain/definition/definition.ts'
import type { MaintenanceEntry, NewMaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { read } from '#web/records/record-draft.ts'

// An entry as somebody writes it: texts of controls, and what they mean.

export const entryFields = {
  date: { label: 'Done on', value: { type: 'day' }, isRequired: true },
  performedBy: { label: 'By whom', value: { type: 'line', maxLength: 200 } },
  text: { label: 'What was done', value: { type: 'prose', maxLength: 2_000 }, isRequired: true },
  cost: { label: 'Cost', value: { type: 'number', min: 0, unit: 'dollars' } },
  hours: { label: 'Hours', value: { type: 'number', min: 0 } },
  nextDue: {
    label: 'Next due',
    help: 'Only where it is another day than the plan says.',
    value: { type: 'day' },
  },
} as const satisfies Record<string, Field>

export type EntryField = keyof typeof entryFields
export const entryFieldNames = Object.keys(entryFields) as EntryField[]
type EntryTexts = Record<EntryField, string>

export type EntryDraft = {
  /** Chosen before it is sent, so that it is added once however often it is. */
  id: string
  /** The entry that is changed; null for a new one. */
  base: MaintenanceEntry | null
  texts: EntryTexts
  /** Sent when the entry is saved. */
  files: readonly File[]
}

/** Today as the reader's calendar has it. */
export function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
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

/** A new one is as changed as somebody has said something of it. */
export const isTouched = (draft: EntryDraft): boolean => draft.files.length > 0 || isSaid(draft)

/** Whether the entry itself is to be saved. */
export function isSaid({ base, texts }: EntryDraft): boolean {
  const before =
    base === null ? { ...texts, performedBy: '', cost: '', hours: '', nextDue: '' } : textsOf(base)
  const isWritten = base === null && texts.text.trim() !== ''
  return isWritten || entryFieldNames.some((name) => texts[name] !== before[name])
}

/** What it says, or what is wrong with it by field. */
export function readEntry({ texts }: EntryDraft): {
  said: Omit<NewMaintenanceEntry, 'id'>
  problems: ReadonlyMap<EntryField, string>
} {
  const problems = new Map<EntryField, string>()
  const value = (name: EntryField): unknown => {
    const said = read(entryFields[name], texts[name])
    if ('problem' in said) problems.set(name, said.problem)
    return 'problem' in said ? null : said.value
  }
  const cost = value('cost') as number | null
  const said = {
    date: value('date') as string,
    performedBy: value('performedBy') as string | null,
    text: value('text') as string,
    costCents: cost === null ? null : Math.round(cost * 100),
    hours: value('hours') as number | null,
    nextDue: value('nextDue') as string | null,
  }
  if (!problems.has('text') && texts.text.trim() === '') problems.set('text', 'Must not be empty')
  return { said, problems }
}

/** The server calls the cost by its unit. */
export const fieldOfAnswer = (name: string): string => (name === 'costCents' ? 'cost' : name)
