import classes from './more-below.module.css'

/** Fades the lower edge of a scrolling area, as its last element, while there is more below. */
export function MoreBelow() {
  return <div className={classes.fade} />
}
