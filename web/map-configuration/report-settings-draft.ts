import { type IncidentType, incidentTypes } from '#domain/incidents/incident-types.ts'
import type { ReportSettingsAnswer } from '#domain/reports/report-settings.schema.ts'
import {
  labelOfType,
  partsOfSettings,
  problemsOfReportSettings,
  publicationLabels,
  type ReportSettings,
  type SettingsPart,
  settingsParts,
} from '#domain/reports/report-settings.ts'
import { capitalized, counted } from '#domain/values/wording.ts'
import { compareEdits, differingFields, type Side } from '#web/ui/unsaved/compare-edits.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'

export type ReportSettingsDraft = {
  base: ReportSettingsAnswer
  settings: ReportSettings
  /** Parts that another user changed, too. */
  conflicts: readonly SettingsPart[]
}

export const draftOf = (base: ReportSettingsAnswer): ReportSettingsDraft => ({
  base,
  settings: base.settings,
  conflicts: [],
})

/** As they are sent: without spaces at the ends. */
export function settingsOfDraft({ settings }: ReportSettingsDraft): ReportSettings {
  const { publication, types, templates, emails } = settings
  const trimmed = incidentTypes.map((type) => {
    const { label, notice, staffEmails, ...values } = types[type]
    const texts = { label: label?.trim() || null, notice: notice.trim() }
    return [type, { ...values, ...texts, staffEmails: addressesOf(staffEmails) }] as const
  })
  return {
    publication,
    types: Object.fromEntries(trimmed) as ReportSettings['types'],
    templates: templates.map(({ text, ...template }) => ({ ...template, text: text.trim() })),
    emails: { ...emails, board: addressesOf(emails.board) },
  }
}

const addressesOf = (lines: readonly string[]) =>
  lines.map((line) => line.trim()).filter((line) => line !== '')

export const changesOfDraft = (draft: ReportSettingsDraft): SettingsPart[] => [
  ...differingFields(
    settingsParts,
    partsOfSettings(draft.base.settings),
    partsOfSettings(settingsOfDraft(draft)),
  ),
]

/** Edited parts stay, the others follow `theirs`. */
export function rebaseSettings(
  draft: ReportSettingsDraft,
  theirs: ReportSettingsAnswer,
): ReportSettingsDraft {
  const [mine, before, after] = [settingsOfDraft(draft), draft.base.settings, theirs.settings].map(
    partsOfSettings,
  ) as [Parts, Parts, Parts]
  const edited = differingFields(settingsParts, before, mine)
  const { conflicts } = compareEdits(
    settingsParts,
    {
      edited,
      changed: differingFields(settingsParts, before, after),
      differing: differingFields(settingsParts, mine, after),
    },
    { conflicts: draft.conflicts, updated: [] },
  )
  const settings = [...edited].reduce(
    (settings, part) => withPart(settings, part, draft.settings),
    theirs.settings,
  )
  return { base: theirs, settings, conflicts }
}

type Parts = ReturnType<typeof partsOfSettings>

function withPart(settings: ReportSettings, part: SettingsPart, source: ReportSettings): ReportSettings {
  if (part === 'publication' || part === 'templates' || part === 'emails')
    return { ...settings, [part]: source[part] }
  return { ...settings, types: { ...settings.types, [part]: source.types[part] } }
}

export function settlePart(draft: ReportSettingsDraft, part: SettingsPart, side: Side): ReportSettingsDraft {
  return {
    ...draft,
    settings: side === 'mine' ? draft.settings : withPart(draft.settings, part, draft.base.settings),
    conflicts: draft.conflicts.filter((other) => other !== part),
  }
}

export function problemsOfDraft(draft: ReportSettingsDraft): Map<string, string> {
  const problems = problemsOfReportSettings(settingsOfDraft(draft))
  return new Map(problems.map(({ path, message }) => [path.join('.'), capitalized(message)]))
}

export function describePart(settings: ReportSettings, part: SettingsPart): string {
  if (part === 'publication') return publicationLabels[settings.publication]
  if (part === 'templates') return counted(settings.templates.length, 'template')
  if (part === 'emails') return describeEmails(settings)
  return describeType(settings, part)
}

function describeEmails({ emails: { board, quietFrom, quietUntil, digestHour } }: ReportSettings): string {
  return [
    board.length === 0 ? 'no digest for the board' : `board: ${board.join(', ')}`,
    quietFrom === null ? 'no quiet hours' : `quiet from ${quietFrom}:00 to ${quietUntil}:00`,
    `digests at ${digestHour}:00`,
  ].join(', ')
}

function describeType(settings: ReportSettings, type: IncidentType): string {
  const { isOffered, mustConfirm, notice, dueDays, staffEmails } = settings.types[type]
  return [
    labelOfType(settings, type),
    isOffered ? 'offered' : 'not offered',
    ...(notice === '' ? [] : [`${mustConfirm ? 'to confirm' : 'notice'}: ${notice}`]),
    dueDays === null ? 'no due date' : `due in ${counted(dueDays, 'day')}`,
    ...(staffEmails.length === 0 ? [] : [`emails to ${staffEmails.join(', ')}`]),
  ].join(', ')
}

export const unsavedReportSettings = defineTabStore({
  name: 'unsaved-report-settings',
  empty: null as ReportSettingsDraft | null,
  read: (stored) => {
    const draft = stored as ReportSettingsDraft
    // Another version of the program may have had other types and values.
    return draft.settings.emails && incidentTypes.every((type) => draft.settings.types[type]?.staffEmails)
      ? draft
      : null
  },
  open: (store) => store,
})
