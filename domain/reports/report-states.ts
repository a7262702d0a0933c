// No schema library: the first chunk of the page needs this.

/** A report is on the map only while it is accepted: then it is an incident with the same id. */
export const reportStateLabels = {
  new: 'Waiting for review',
  accepted: 'Accepted',
  rejected: 'Rejected',
  duplicate: 'Duplicate',
  hidden: 'Hidden',
  withdrawn: 'Withdrawn',
} as const
export type ReportState = keyof typeof reportStateLabels
export const reportStates = Object.keys(reportStateLabels) as [ReportState, ...ReportState[]]

/** Staff choose these; only reporters withdraw. */
export const decidedStates = ['new', 'accepted', 'rejected', 'duplicate', 'hidden'] as const
export type DecidedState = (typeof decidedStates)[number]

/** How long reporters can change or withdraw their report. */
export const changeableMs = 3_600_000

export const isChangeable = ({ state, createdAt }: { state: ReportState; createdAt: string }, now: number) =>
  state === 'new' && now < Date.parse(createdAt) + changeableMs

export const maxPhotosOfReport = 3
export const maxReportDescription = 1_000

/** Empty for one person, which says little. */
export const reportersInWords = (count: number) => (count > 1 ? [`${count} people reported this`] : [])

export const reportNumber = (number: number) => `R-${number}`

/** For how long staff can block a sender. */
export const blockDays = [1, 7, 30] as const
