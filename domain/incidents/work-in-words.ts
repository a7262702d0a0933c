import type { WorkState } from './work-states.ts'

/** Continues 'Your report R-12' or the title of an incident. */
export const workInWords: Record<WorkState, string> = {
  accepted: 'was accepted',
  assigned: 'was assigned to someone who will take care of it',
  in_progress: 'is being worked on',
  waiting: 'is waiting for something before work goes on',
  resolved: 'is resolved',
  reopened: 'was opened again',
}
