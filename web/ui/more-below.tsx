import classes from './more-below.module.css'

/**
 * Stands last in what scrolls: what lies below the bottom fades there, so that one sees that there is more. At the end
 * nothing lies behind it.
 */
export function MoreBelow() {
  return <div className={classes.fade} />
}
