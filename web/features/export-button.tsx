import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ExportQuestion, ExportSelection } from '#web/api/exports.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { formatNumber } from '#web/ui/measures.ts'

const ExportForm = lazyPart(() => import('./export-form.tsx').then((module) => module.ExportForm))

export type Exported = {
  mapId: string
  question: ExportQuestion
  /** How many features these are; undefined as long as nobody knows. */
  count: number | undefined
  /** The columns that the screen shows; undefined where it shows none. */
  columns?: readonly string[] | undefined
  /** What is selected of them; undefined: all. */
  selection?: ExportSelection | undefined
}

type ExportButtonProps = Exported & { size?: 'compact-sm' | 'xs' | 'sm'; variant?: 'default' | 'subtle' }

/** Opens what can be done to take features out as a file. */
export function ExportButton({ size = 'sm', variant = 'default', ...exported }: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { count } = exported
  const words = count === undefined ? '' : ` ${formatNumber(count)} ${count === 1 ? 'feature' : 'features'}`
  const close = () => setIsOpen(false)
  return (
    <>
      <Button
        variant={variant}
        size={size}
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        disabled={count === 0}
        onClick={() => setIsOpen(true)}
      >
        Export
      </Button>
      <Dialog title={`Export${words}`} isOpen={isOpen} onClose={close}>
        {() => <ExportForm {...exported} onDone={close} />}
      </Dialog>
    </>
  )
}
