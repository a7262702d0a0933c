import { useEffect, useRef } from 'react'
import { LeaveQuestion } from '#web/workspace/leave-question.tsx'
import { announceDrafts, keptDrafts } from './kept-drafts.ts'
import { type Draft, titleOf } from './record-draft.ts'
import { announceCells, titleOfCell, type UnsavedCell, unsavedCells } from './unsaved-cells.ts'

const noDrafts: readonly Draft[] = []
const noCells: readonly UnsavedCell[] = []

/** On every screen of staff: nobody leaves over changes of records unasked, whatever is selected. */
export function UnsavedRecords({ personId }: { personId: string }) {
  const kept = keptDrafts(personId)
  const cells = unsavedCells(personId)
  const leftBehind = useRef({ drafts: noDrafts, cells: noCells })
  useEffect(() => announceDrafts(kept), [kept])
  useEffect(() => announceCells(cells), [cells])
  return (
    <LeaveQuestion
      wordsFor={({ to }) => {
        // From one screen of the map to another they come along.
        const isLeft = ({ mapId }: { mapId: string }) => !to.split('/').includes(mapId)
        const drafts = kept.all().filter(({ base }) => isLeft(base))
        // What is on its way arrives all the same.
        const refused = cells.all().filter((cell) => cell.state === 'refused' && isLeft(cell))
        if (drafts.length === 0 && refused.length === 0) return null
        leftBehind.current = { drafts, cells: refused }
        const names = [
          ...new Set([...drafts.map((draft) => `‘${titleOf(draft)}’`), ...refused.map(titleOfCell)]),
        ].join(', ')
        return {
          title: 'Unsaved changes',
          text: `What you have said of ${names} is not saved yet. Leaving throws it away.`,
          go: 'Leave without saving',
        }
      }}
      onLeave={() => {
        for (const { base } of leftBehind.current.drafts) kept.forget(base)
        cells.drop(leftBehind.current.cells)
      }}
    />
  )
}
