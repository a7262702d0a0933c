import { createContext, type ReactNode, useContext, useState } from 'react'
import type { ExportQuestion, ExportSelection } from '#web/api/exports.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { formatNumber } from '#web/ui/measures.ts'

const ExportForm = lazyPart(() => import('./export-form.tsx').then((module) => module.ExportForm))

/** What is taken out as a file, as it was when somebody pressed 'Export'. */
export type Exported = {
  mapId: string
  of: ExportedFeatures | 'drawings'
  /** How many these are; undefined as long as nobody knows. */
  count: number | undefined
}

export type ExportedFeatures = {
  question: ExportQuestion
  /** The columns that the screen shows; undefined where it shows none. */
  columns?: readonly string[] | undefined
  /** What is selected of them; undefined: all. */
  selection?: ExportSelection | undefined
}

const OpenExport = createContext<(exported: Exported) => void>(() => {})

/** Opens the dialog of the screen. */
export const useOpenExport = () => useContext(OpenExport)

/** A screen with its dialog, which stays open whichever button had opened it and wherever that is by now. */
export function ExportDialogs({ children }: { children: ReactNode }) {
  const [exported, setExported] = useState<Exported | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [open] = useState(() => (asked: Exported) => {
    setExported(asked)
    setIsOpen(true)
  })
  const close = () => setIsOpen(false)
  return (
    <OpenExport value={open}>
      {children}
      <Dialog title={exported ? titleOf(exported) : ''} size="lg" isOpen={isOpen} onClose={close}>
        {() => exported && <ExportForm {...exported} onDone={close} />}
      </Dialog>
    </OpenExport>
  )
}

function titleOf({ of, count }: Exported): string {
  if (count === undefined) return 'Export'
  const one = of === 'drawings' ? 'drawing' : 'feature'
  return `Export ${formatNumber(count)} ${count === 1 ? one : `${one}s`}`
}
