import type { WorkState } from '#domain/incidents/work-states.ts'

/** How an incident stands for visitors. The note is the last public one. */
export type Standing = { work: WorkState | null; noteId: string | null; noteAt: number }

export function standingOf(
  { status, fields }: { status: string | null; fields: string },
  note: { id: string; at: number } | undefined,
): Standing {
  const { workState = null } = JSON.parse(fields) as { workState?: WorkState | null }
  return {
    work: workState ?? (status === 'resolved' ? 'resolved' : null),
    noteId: note?.id ?? null,
    noteAt: note?.at ?? 0,
  }
}

/** Null: not on the map. A note that was hidden or removed is no news. */
export const hasNewNote = (before: Standing | null, current: Standing): boolean =>
  current.noteId !== null && current.noteId !== before?.noteId && current.noteAt >= (before?.noteAt ?? 0)

export const isNews = (before: Standing | null, current: Standing | null): current is Standing =>
  current !== null && (before === null || before.work !== current.work || hasNewNote(before, current))
