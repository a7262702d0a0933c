import { useEffect, useRef } from 'react'
import { formatList } from '#domain/values/wording.ts'
import { LeaveConfirmation } from '#web/workspace/leave-confirmation.tsx'
import { type Draft, titleOf } from './record-draft.ts'
import { announceDrafts, recordDrafts } from './record-drafts.ts'
import { announceCells, titleOfCell, type UnsavedCell, unsavedCells } from './unsaved-cells.ts'
import { announceWaitingFiles, waitingFiles } from './waiting-files.ts'

const noDrafts: readonly Draft[] = []
const noCells: readonly UnsavedCell[] = []

export function UnsavedRecords({ personId }: { personId: string }) {
  const allDrafts = recordDrafts(personId)
  const cells = unsavedCells(personId)
  const leaving = useRef({ drafts: noDrafts, cells: noCells })
  useEffect(() => announceDrafts(allDrafts), [allDrafts])
  useEffect(() => announceCells(cells), [cells])
  useEffect(announceWaitingFiles, [])
  return (
    <LeaveConfirmation
      wordsFor={({ to }) => {
        // Changes stay on all screens of their map.
        const isOnLeftMap = ({ mapId }: { mapId: string }) => !to.split('/').includes(mapId)
        const drafts = allDrafts.changed().filter(({ base }) => isOnLeftMap(base))
        // Cells that are saving will still be saved.
        const refused = cells.all().filter((cell) => cell.state === 'refused' && isOnLeftMap(cell))
        if (drafts.length === 0 && refused.length === 0) return null
        leaving.current = { drafts, cells: refused }
        const names = new Set([...drafts.map((draft) => `‘${titleOf(draft)}’`), ...refused.map(titleOfCell)])
        return {
          title: 'Unsaved changes',
          text: `Your changes to ${formatList(names)} will be discarded.`,
          go: 'Leave without saving',
        }
      }}
      onLeave={() => {
        for (const { base } of leaving.current.drafts) {
          allDrafts.discard(base)
          waitingFiles.set(base, [])
        }
        cells.drop(leaving.current.cells)
      }}
    />
  )
}
