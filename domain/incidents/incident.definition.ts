import { define } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/features/kinds.ts'
import { incidentTypeLabels, knownSeverityLabels } from './incident-types.ts'

/** Section 3 of the specification, in the order of the details. */
export const incidentDefinition = define({
  kind: 'incident',
  label: kindLabels.incident,
  fields: {
    title: {
      label: 'Title',
      value: { type: 'line', maxLength: 300 },
      isRequired: true,
      column: 'name',
      isSearched: true,
      names: ['name'],
    },
    description: {
      label: 'Description',
      value: { type: 'prose', maxLength: 20_000 },
      isRequired: true,
      initial: '',
      column: 'description',
      isSearched: true,
      names: ['desc'],
    },
    resolved: {
      label: 'Status',
      value: { type: 'flag', words: { yes: 'resolved', no: 'unresolved' } },
      isRequired: true,
      initial: false,
      column: 'status',
      names: ['isresolved', 'status'],
      impliedBy: 'resolvedDate',
    },
    severity: {
      label: 'Severity',
      value: { type: 'choice', choices: knownSeverityLabels },
      column: 'severity',
    },
    type: {
      label: 'Type',
      value: { type: 'choice', choices: incidentTypeLabels },
      column: 'type',
      isSearched: true,
      names: ['incidenttype'],
    },
    date: {
      label: 'Date',
      value: { type: 'instant' },
      column: 'date',
      names: ['datetime', 'incidentdate'],
    },
    resolvedDate: {
      label: 'Resolved',
      value: { type: 'instant' },
      names: ['resolvedat', 'dateresolved'],
      shownIf: 'resolved',
    },
    reportedBy: {
      label: 'Reported by',
      value: { type: 'line', maxLength: 300 },
      isPersonal: true,
      names: ['reporter'],
    },
    // A parcel's id elsewhere is hardly ever its id here.
    parcelId: { label: 'Parcel', value: { type: 'reference', to: 'parcel' }, isNamedOnly: true },
  },
})
