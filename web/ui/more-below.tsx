import classes from './more-below.module.css'

/** The last element of a scrolling area: fades its lower edge while there is more below. */
export function MoreBelow() {
  return <div className={classes.fade} />
}
