import { useEffect } from 'react'
import { LeaveQuestion } from '#web/workspace/leave-question.tsx'
import { announceDrafts, keptDrafts, nameOf } from './kept-drafts.ts'

/** As long as the map is open: nobody leaves over changes of its records unasked, whatever is selected. */
export function UnsavedRecords({ mapId, editorId }: { mapId: string; editorId: string }) {
  const kept = keptDrafts(mapId, editorId)
  useEffect(() => announceDrafts(kept), [kept])
  return (
    <LeaveQuestion
      wordsFor={({ to }) => {
        const drafts = kept.all()
        // From one screen of the map to another they come along.
        if (drafts.length === 0 || to.split('/').includes(mapId)) return null
        const names = drafts.map((draft) => `‘${nameOf(draft)}’`).join(', ')
        return {
          title: 'Unsaved changes',
          text: `What you have changed of ${names} is not saved yet. Leaving throws it away.`,
          go: 'Leave without saving',
        }
      }}
      onLeave={kept.forgetAll}
    />
  )
}
