import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { formatNumber } from '#web/ui/measures.ts'
import type { Exported } from './export-form.tsx'

const ExportForm = lazyPart(() => import('./export-form.tsx').then((module) => module.ExportForm))

type ExportButtonProps = Exported & {
  /** There is no room for its word. */
  isIcon?: boolean
  size?: 'compact-sm' | 'xs' | 'sm'
  variant?: 'default' | 'subtle'
}

/** Opens what can be done to take features out as a file. */
export function ExportButton({
  size = 'sm',
  variant = 'default',
  isIcon = false,
  ...exported
}: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { count } = exported
  const words = count === undefined ? '' : ` ${formatNumber(count)} ${count === 1 ? 'feature' : 'features'}`
  const close = () => setIsOpen(false)
  const control = { 'aria-label': 'Export', disabled: count === 0, onClick: () => setIsOpen(true) }
  return (
    <>
      {isIcon ? (
        <ActionIcon variant="default" size={44} {...control}>
          <IconDownload size={20} aria-hidden="true" />
        </ActionIcon>
      ) : (
        <Button
          variant={variant}
          size={size}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          {...control}
        >
          Export
        </Button>
      )}
      <Dialog title={`Export${words}`} size="lg" isOpen={isOpen} onClose={close}>
        {() => <ExportForm {...exported} onDone={close} />}
      </Dialog>
    </>
  )
}
