import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { Ref } from 'react'

type SmallButtonProps = ButtonProps &
  ElementProps<'button', keyof ButtonProps> & {
    ref?: Ref<HTMLButtonElement>
    icon?: TablerIcon
    iconSize?: number
  }

export const SmallButton = ({ icon: Icon, iconSize = 16, ...props }: SmallButtonProps) => (
  <Button
    variant="default"
    size="xs"
    leftSection={Icon && <Icon size={iconSize} aria-hidden="true" />}
    {...props}
  />
)
