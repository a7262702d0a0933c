import type { ReactNode } from 'react'
import classes from './room-for.module.css'

/**
 * Keeps the room of a control that is still on its way: what stands around it is where it was when it comes, and a click that has
 * begun hits what it was meant for.
 */
export const RoomFor = ({ children }: { children: ReactNode }) => (
  <span className={classes.room} aria-hidden="true">
    {children}
  </span>
)
