import { type IncidentType, incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import type { QuietHours } from '#domain/subscriptions/mail-times.ts'

// No schema library: the page needs it.

/** When a report becomes a public incident. */
export const publicationLabels = {
  review: 'After staff review',
  confirmed: 'After the reporter confirms their email address',
  immediate: 'Immediately',
} as const
export type Publication = keyof typeof publicationLabels
export const publications = Object.keys(publicationLabels) as [Publication, ...Publication[]]

/** Decisions on reports and progress of incidents, of which a public note may tell. */
export const responseStateLabels = {
  ...workStateLabels,
  rejected: 'Rejected',
  duplicate: 'Duplicate',
  hidden: 'Hidden',
} as const
export type ResponseState = keyof typeof responseStateLabels
export const responseStates = Object.keys(responseStateLabels) as [ResponseState, ...ResponseState[]]

export type TypeSettings = {
  /** In the form and in titles of reports. Null: the name of the type. */
  label: string | null
  notice: string
  /** Whether reporters confirm the notice before they go on. */
  mustConfirm: boolean
  isOffered: boolean
  /** After acceptance. Null: none. */
  dueDays: number | null
  /** Get an email about each report of the type, such as shared mailboxes. */
  staffEmails: string[]
}

/** Hours are those of the association's time zone. */
export type EmailSettings = QuietHours & {
  /** Get the weekly digest of the board. */
  board: string[]
  /** When daily and weekly emails are sent. */
  digestHour: number
}

/** A text that staff insert into a public note. `type` is null for all types. */
export type ResponseTemplate = { id: string; state: ResponseState; type: IncidentType | null; text: string }

export type ReportSettings = {
  publication: Publication
  types: Record<IncidentType, TypeSettings>
  templates: ResponseTemplate[]
  emails: EmailSettings
}

export const maxTypeLabel = 40
export const maxNotice = 300
export const maxDueDays = 3_650
export const maxTemplates = 50
export const maxTemplateText = 500
export const maxStaffEmails = 5
export const maxEmailLength = 254

const plain: TypeSettings = {
  label: null,
  notice: '',
  mustConfirm: false,
  isOffered: true,
  dueDays: 30,
  staffEmails: [],
}

const template = (state: ResponseState, text: string): ResponseTemplate => ({
  id: state,
  state,
  type: null,
  text,
})

export const defaultReportSettings: ReportSettings = {
  publication: 'review',
  types: {
    fire: { ...plain, notice: 'Call 911 before you report a fire.', mustConfirm: true, dueDays: 1 },
    flood: plain,
    fallen_tree: { ...plain, dueDays: 7 },
    other: plain,
  },
  templates: [
    template('accepted', 'Thank you. We will take care of this.'),
    template('rejected', 'Thank you. The association is not responsible for this.'),
    template('duplicate', 'Thank you. This was reported before, and we are taking care of it.'),
    { ...template('assigned', 'We asked a crew to remove the tree.'), id: 'tree', type: 'fallen_tree' },
    { ...template('in_progress', 'Work has begun.'), id: 'in-progress' },
    template('waiting', 'We are waiting for parts before we can go on.'),
    template('resolved', 'The problem is fixed. Thank you for your report.'),
  ],
  emails: { board: [], quietFrom: 22, quietUntil: 7, digestHour: 7 },
}

/** Rules beyond the shape of the values. The last element of a path is the name of a field. */
export function problemsOfReportSettings({
  types,
  templates,
  emails,
}: ReportSettings): { path: (string | number)[]; message: string }[] {
  const ofTypes = incidentTypes.flatMap((type) => {
    const { notice, mustConfirm, dueDays, staffEmails } = types[type]
    const isDayCount =
      dueDays === null || (Number.isInteger(dueDays) && dueDays >= 0 && dueDays <= maxDueDays)
    return [
      ...(mustConfirm && notice.trim() === ''
        ? [{ path: ['types', type, 'notice'], message: 'is required if reporters must confirm it' }]
        : []),
      ...(isDayCount
        ? []
        : [{ path: ['types', type, 'dueDays'], message: `must be 0 to ${maxDueDays} whole days, or empty` }]),
      ...problemsOfEmails(['types', type, 'staffEmails'], staffEmails),
    ]
  })
  const isNoneOffered = incidentTypes.every((type) => !types[type].isOffered)
  return [
    ...ofTypes,
    ...problemsOfEmails(['emails', 'board'], emails.board),
    ...(isNoneOffered
      ? [{ path: ['types', incidentTypes[0], 'isOffered'], message: 'must be set for at least one type' }]
      : []),
    ...templates.flatMap(({ id, text }, index) => [
      ...(text.trim() === '' ? [{ path: ['templates', index, 'text'], message: 'must not be empty' }] : []),
      ...(templates.findIndex((other) => other.id === id) < index
        ? [{ path: ['templates', index, 'id'], message: 'must differ from those of other templates' }]
        : []),
    ]),
  ]
}

function problemsOfEmails(path: string[], emails: readonly string[]): { path: string[]; message: string }[] {
  const wrong = emails.find((email) => !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
  if (wrong !== undefined) return [{ path, message: `must be email addresses: ‘${wrong}’ is none` }]
  if (emails.length > maxStaffEmails)
    return [{ path, message: `must be at most ${maxStaffEmails} addresses` }]
  return []
}

type FormType = Pick<TypeSettings, 'notice' | 'mustConfirm'> & { type: IncidentType; label: string }

/** What visitors need to report a problem. */
export type ReportForm = { publication: Publication; types: FormType[] }

export const labelOfType = ({ types }: Pick<ReportSettings, 'types'>, type: IncidentType): string =>
  types[type].label ?? incidentTypeLabels[type]

/** Without a mail server no address can be confirmed, and reports wait for review. */
export const publicationWith = (publication: Publication, sendsMail: boolean): Publication =>
  publication === 'confirmed' && !sendsMail ? 'review' : publication

export function toReportForm(settings: ReportSettings, sendsMail: boolean): ReportForm {
  return {
    publication: publicationWith(settings.publication, sendsMail),
    types: incidentTypes
      .filter((type) => settings.types[type].isOffered)
      .map((type) => {
        const { notice, mustConfirm } = settings.types[type]
        return { type, label: labelOfType(settings, type), notice, mustConfirm }
      }),
  }
}

/** For forms that cannot load theirs, because there is no connection. */
export const defaultReportForm = toReportForm(defaultReportSettings, false)

export type SettingsPart = 'publication' | 'templates' | 'emails' | IncidentType

export const settingsPartLabels: Record<SettingsPart, string> = {
  publication: 'Publication',
  ...incidentTypeLabels,
  templates: 'Response templates',
  emails: 'Emails',
}
export const settingsParts = Object.keys(settingsPartLabels) as SettingsPart[]

export const partsOfSettings = ({ publication, types, templates, emails }: ReportSettings) => ({
  publication,
  ...types,
  templates,
  emails,
})
