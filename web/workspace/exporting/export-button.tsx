import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Exported } from './export-form.tsx'
import { useOpenExport } from './open-export.tsx'

type ExportButtonProps = Exported & {
  isIcon?: boolean
  size?: 'compact-sm' | 'xs' | 'sm'
  variant?: 'default' | 'subtle'
}

export function ExportButton({
  size = 'sm',
  variant = 'default',
  isIcon = false,
  ...exported
}: ExportButtonProps) {
  const open = useOpenExport()
  const isReady = exported.count !== undefined && exported.count > 0
  const control = { 'aria-label': 'Export', disabled: !isReady, onClick: () => open(exported) }
  return isIcon ? (
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
  )
}
