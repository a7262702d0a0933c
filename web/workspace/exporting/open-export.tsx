import { createContext, type ReactNode, useContext, useState } from 'react'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Exported } from './export-form.tsx'

const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((module) => module.ExportDialog))

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
  return (
    <OpenExport value={open}>
      {children}
      {exported && (
        <Guard what="The export" layout="dialog" waiting={null} onClose={() => setExported(null)}>
          <ExportDialog exported={exported} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Guard>
      )}
    </OpenExport>
  )
}
