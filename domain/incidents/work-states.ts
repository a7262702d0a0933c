/** Progress of the work on an incident that is on the map. Null is none that anyone recorded. */
export const workStateLabels = {
  accepted: 'Accepted',
  assigned: 'Assigned',
  in_progress: 'In progress',
  waiting: 'Waiting',
  resolved: 'Resolved',
  reopened: 'Reopened',
} as const
export type WorkState = keyof typeof workStateLabels
export const workStates = Object.keys(workStateLabels) as [WorkState, ...WorkState[]]

type Work = {
  resolved: boolean
  workState?: WorkState | null | undefined
  assignee?: string | null | undefined
}

/** States that an assignment ends. */
const unassigned: readonly (WorkState | null)[] = [null, 'accepted', 'reopened']

/**
 * `resolved` follows from the state, and the state from `resolved` or a new assignee, whichever changes. Null if both
 * change and contradict each other. Without a state, `resolved` stands alone.
 */
export function followWork<Incident extends Work>(before: Work | null, wanted: Incident): Incident | null {
  const state = wanted.workState ?? null
  const assignee = wanted.assignee ?? null
  const earlier = before?.workState ?? null
  const isNewState = state !== earlier && state !== null
  const isNewStatus = before !== null && wanted.resolved !== before.resolved
  if (isNewState && isNewStatus) return wanted.resolved === (state === 'resolved') ? wanted : null
  if (isNewState) return { ...wanted, resolved: state === 'resolved' }
  if (isNewStatus)
    return state === null ? wanted : { ...wanted, workState: wanted.resolved ? 'resolved' : 'reopened' }
  if (wanted.resolved || assignee === (before?.assignee ?? null)) return wanted
  if (assignee !== null && unassigned.includes(state)) return { ...wanted, workState: 'assigned' }
  return assignee === null && state === 'assigned' ? { ...wanted, workState: 'accepted' } : wanted
}
