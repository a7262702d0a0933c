import type { ReactNode } from 'react'
import classes from './room-for.module.css'

/** Reserves the space of a control that is still loading, so that the page does not shift. */
export const RoomFor = ({ children }: { children: ReactNode }) => (
  <span className={classes.room} aria-hidden="true">
    {children}
  </span>
)
