import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { Ref } from 'react'

type SmallButtonProps = ButtonProps &
  ElementProps<'button', keyof ButtonProps> & {
    ref?: Ref<HTMLButtonElement>
    icon?: TablerIcon
    iconSize?: number
    /** Added to its name for screen readers, where several buttons have the same text. */
    subject?: string
  }

export const SmallButton = ({ icon: Icon, iconSize = 16, subject, ...props }: SmallButtonProps) => (
  <Button
    {...(subject && { 'aria-label': `${props.children}: ${subject}` })}
    variant="default"
    size="xs"
    leftSection={Icon && <Icon size={iconSize} aria-hidden="true" />}
    {...props}
  />
)
