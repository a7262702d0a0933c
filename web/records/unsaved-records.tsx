import { useEffect, useRef } from 'react'
import { LeaveQuestion } from '#web/workspace/leave-question.tsx'
import { announceDrafts, keptDrafts } from './kept-drafts.ts'
import { type Draft, titleOf } from './record-draft.ts'

/** On every screen of staff: nobody leaves over changes of records unasked, whatever is selected. */
export function UnsavedRecords({ personId }: { personId: string }) {
  const kept = keptDrafts(personId)
  const leftBehind = useRef<readonly Draft[]>([])
  useEffect(() => announceDrafts(kept), [kept])
  return (
    <LeaveQuestion
      wordsFor={({ to }) => {
        // From one screen of the map to another they come along.
        const drafts = kept.all().filter(({ base }) => !to.split('/').includes(base.mapId))
        if (drafts.length === 0) return null
        leftBehind.current = drafts
        const names = drafts.map((draft) => `‘${titleOf(draft)}’`).join(', ')
        return {
          title: 'Unsaved changes',
          text: `What you have said of ${names} is not saved yet. Leaving throws it away.`,
          go: 'Leave without saving',
        }
      }}
      onLeave={() => {
        for (const { base } of leftBehind.current) kept.forget(base)
      }}
    />
  )
}
