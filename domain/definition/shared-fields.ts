import type { Field } from '#domain/definition/definition.ts'
import { operationalStatusLabels } from './kinds.ts'

export const nameField = {
  label: 'Name',
  value: { type: 'line', maxLength: 300 },
  isRequired: true,
  column: 'name',
  isSearched: true,
} as const satisfies Field

export const descriptionField = {
  label: 'Description',
  value: { type: 'prose', maxLength: 20_000 },
  isRequired: true,
  initial: '',
  column: 'description',
  isSearched: true,
  names: ['desc', 'notes', 'comments', 'remarks'],
} as const satisfies Field

export const operationalStatusField = {
  label: 'Status',
  value: { type: 'choice', choices: operationalStatusLabels },
  isRequired: true,
  initial: 'operational',
  column: 'status',
} as const satisfies Field

/** Never filled by column name: parcel ids in files rarely match ours. */
export const parcelField = {
  label: 'Parcel',
  help: 'Set by location, unless you choose another parcel.',
  section: 'Location',
  nullMeans: 'Set by location',
  value: { type: 'reference', to: 'parcel' },
  isNotCopied: true,
  isNamedOnly: true,
} as const satisfies Field
