import { foldText, isReservedWord } from '#domain/values/text.ts'
import { capitalized } from '#domain/values/wording.ts'
import type { Field, FieldValue, OwnValues } from './definition.ts'

// Fields that a client adds to a kind. No schema library: the first chunk of the page needs them.

export const customFieldTypes = {
  line: 'Text',
  number: 'Number',
  day: 'Date',
  choice: 'Choice',
  flag: 'Yes or no',
  link: 'Link',
} as const
export type CustomFieldType = keyof typeof customFieldTypes

/** Independent of the map's setting for personal data. */
export const fieldVisibilities = { staff: 'Staff only', everyone: 'Everyone' } as const
export type FieldVisibility = keyof typeof fieldVisibilities

export type OwnChoice = { key: string; label: string }

export type CustomField = {
  /** Never changes: values are stored under it. */
  key: string
  label: string
  type: CustomFieldType
  choices: readonly OwnChoice[]
  isRequired: boolean
  visibleTo: FieldVisibility
  help: string | null
}

export const ownTextLength = 1_000
export const ownLabelLength = 60
export const ownHelpLength = 300
export const maxCustomFields = 50
export const maxOwnChoices = 100

export const ownValuesField = {
  label: 'Custom fields',
  help: 'Values of custom fields, by key',
  section: 'More',
  value: { type: 'own' },
} as const satisfies Field

export const ownGroup = (customFields: readonly CustomField[]): Field => ({
  ...ownValuesField,
  value: { type: 'group', fields: Object.fromEntries(customFields.map((own) => [own.key, toField(own)])) },
})

/** Older features may lack a required value. */
function toField({ label, help, isRequired, visibleTo, key, ...own }: CustomField): Field {
  return {
    label,
    value: whatItHolds(own),
    names: [label, key],
    ...(help === null ? {} : { help }),
    ...(isRequired ? { isRequired } : {}),
    ...(visibleTo === 'staff' ? { isForStaff: true } : {}),
  }
}

function whatItHolds({ type, choices }: Pick<CustomField, 'type' | 'choices'>): FieldValue {
  switch (type) {
    case 'line':
      return { type, maxLength: ownTextLength }
    case 'choice':
      return { type, choices: Object.fromEntries(choices.map(({ key, label }) => [key, label])) }
    default:
      return { type }
  }
}

/** Only values that are not null, ordered by key so that equal values are equal JSON; null if there are none. */
export function storedOwnValues(values: OwnValues | null | undefined): OwnValues | null {
  const set = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== '')
  return set.length === 0 ? null : Object.fromEntries(set.sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function searchedOwnTexts(
  customFields: readonly CustomField[],
  values: OwnValues,
  visibleTo: FieldVisibility,
): string[] {
  return customFields.flatMap((own) => {
    const value = values[own.key]
    if (own.visibleTo !== visibleTo || typeof value !== 'string') return []
    if (own.type === 'choice') return own.choices.find(({ key }) => key === value)?.label ?? []
    return own.type === 'line' || own.type === 'link' ? value : []
  })
}

export function findsOtherWords(before: readonly CustomField[], after: readonly CustomField[]): boolean {
  const searched = (customFields: readonly CustomField[]) =>
    customFields
      .filter(({ type }) => type === 'line' || type === 'link' || type === 'choice')
      .map(({ key, visibleTo, choices }) => JSON.stringify([key, visibleTo, choices]))
      .sort()
      .join()
  return searched(before) !== searched(after)
}

export function newOwnKey(label: string, taken: ReadonlySet<string>): string {
  const [first = '', ...others] = foldText(label)
    .replace(/[^a-z0-9 ]/g, '')
    .split(' ')
    .filter(Boolean)
  const words = [first, ...others.map(capitalized)].join('')
  const stem = (/^[a-z]/.test(words) ? words : `field${words}`).slice(0, 40)
  const isFree = (key: string) => !taken.has(key) && !isReservedWord(key)
  if (isFree(stem)) return stem
  let number = 2
  while (!isFree(`${stem}${number}`)) number++
  return `${stem}${number}`
}
