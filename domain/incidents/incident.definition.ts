import { ownValuesField } from '#domain/definition/custom-field.ts'
import { define } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/definition/kinds.ts'
import { descriptionField, nameField, parcelField } from '#domain/definition/shared-fields.ts'
import { incidentTypeLabels, knownSeverityLabels } from './incident-types.ts'
import { workStateLabels } from './work-states.ts'

/** Section 3 of the specification, in the order of the details. */
export const incidentDefinition = define({
  kind: 'incident',
  label: kindLabels.incident,
  shapes: ['point'],
  fields: {
    title: { ...nameField, label: 'Title', names: ['name', 'label'] },
    description: descriptionField,
    resolved: {
      label: 'Status',
      value: { type: 'flag', words: { yes: 'resolved', no: 'unresolved' } },
      isRequired: true,
      initial: false,
      column: 'status',
      isNotCopied: true,
      names: ['isresolved', 'status'],
      impliedBy: 'resolvedDate',
    },
    workState: {
      label: 'Progress',
      help: 'Resolving an incident sets it, and it sets the status.',
      value: { type: 'choice', choices: workStateLabels },
      isNotCopied: true,
      isShownIfKnown: true,
      nullMeans: 'Not tracked',
    },
    assignee: {
      label: 'Assigned to',
      help: 'A person, a role such as ‘Board’, or a contractor.',
      value: { type: 'line', maxLength: 200 },
      isForStaff: true,
      isNotCopied: true,
      isShownIfKnown: true,
      names: ['assignedto'],
    },
    due: {
      label: 'Due',
      help: 'When it should be resolved.',
      value: { type: 'day' },
      isForStaff: true,
      isNotCopied: true,
      isShownIfKnown: true,
      names: ['duedate', 'dueon'],
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
      names: ['incidenttype', 'kind', 'category'],
    },
    date: {
      label: 'Date',
      help: 'When the incident happened.',
      section: 'Timeline',
      value: { type: 'instant' },
      column: 'date',
      isNotCopied: true,
      names: ['datetime', 'incidentdate'],
    },
    resolvedDate: {
      label: 'Resolved',
      help: 'Defaults to the time of the change.',
      section: 'Timeline',
      value: { type: 'instant' },
      names: ['resolvedat', 'dateresolved'],
      isNotCopied: true,
      shownIf: 'resolved',
    },
    reportedBy: {
      label: 'Reported by',
      section: 'Timeline',
      value: { type: 'line', maxLength: 300 },
      isPersonal: true,
      isNotCopied: true,
      names: ['reporter'],
    },
    parcelId: parcelField,
    own: ownValuesField,
  },
})
