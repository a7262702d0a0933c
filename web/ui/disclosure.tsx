import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './disclosure.module.css'

type DisclosureProps = {
  label: ReactNode
  look?: 'title' | 'plain' | 'quiet'
  /** Opens or closes it again whenever it changes. */
  isOpenByDefault?: boolean
  /** Without it, the disclosure keeps its own state. */
  isOpen?: boolean
  onToggle?(isOpen: boolean): void
  /** Controls on the line of the label. */
  beside?: ReactNode
  children: ReactNode
}

export function Disclosure(props: DisclosureProps) {
  const { label, look = 'plain', isOpenByDefault = false, onToggle, beside, children } = props
  const [own, setOwn] = useState({ isOpenByDefault, isOpen: isOpenByDefault })
  if (own.isOpenByDefault !== isOpenByDefault) setOwn({ isOpenByDefault, isOpen: isOpenByDefault })
  const isOpen = props.isOpen ?? own.isOpen
  const contentId = useId()
  return (
    <>
      <div className={classes.line}>
        <UnstyledButton
          className={classes.toggle}
          data-look={look}
          aria-expanded={isOpen}
          aria-controls={isOpen ? contentId : undefined}
          onClick={() => {
            setOwn({ isOpenByDefault, isOpen: !isOpen })
            onToggle?.(!isOpen)
          }}
        >
          <IconChevronRight size={16} aria-hidden="true" />
          <span>{label}</span>
        </UnstyledButton>
        {beside}
      </div>
      {isOpen && <div id={contentId}>{children}</div>}
    </>
  )
}
