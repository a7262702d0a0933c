import { createContext, type ReactNode, useContext, useState } from 'react'
import { counted } from '#domain/values/wording.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Exported } from './export-form.tsx'

const ExportForm = lazyPart(() => import('./export-form.tsx').then((module) => module.ExportForm))

const OpenExport = createContext<(exported: Exported) => void>(() => {})

export const useOpenExport = () => useContext(OpenExport)

/** The dialog stays open if the button that opened it unmounts. */
export function ExportDialogs({ children }: { children: ReactNode }) {
  const [exported, setExported] = useState<Exported | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [open] = useState(() => (next: Exported) => {
    setExported(next)
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
  return `Export ${counted(count, of === 'drawings' ? 'drawing' : 'feature')}`
}
