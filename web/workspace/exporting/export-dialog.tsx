import { kindLabels } from '#domain/definition/kinds.ts'
import { counted } from '#domain/values/wording.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { type Exported, ExportForm } from './export-form.tsx'

type ExportDialogProps = { exported: Exported; isOpen: boolean; onClose(): void }

export function ExportDialog({ exported, isOpen, onClose }: ExportDialogProps) {
  return (
    <Dialog title={titleOf(exported)} size="lg" isOpen={isOpen} onClose={onClose}>
      {() => <ExportForm {...exported} onDone={onClose} />}
    </Dialog>
  )
}

function titleOf({ of, count }: Exported): string {
  if (count === undefined) return 'Export'
  return `Export ${counted(count, nounOf(of))}`
}

function nounOf(of: Exported['of']): string {
  if (of === 'drawings') return 'drawing'
  return 'query' in of && of.query.kind ? kindLabels[of.query.kind].one.toLowerCase() : 'feature'
}
