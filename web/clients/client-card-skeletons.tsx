import { Skeleton } from '@mantine/core'
import classes from './client-card.module.css'

/** In the shape of the cards that are coming. */
export function ClientCardSkeletons() {
  return (
    <div className={classes.skeletons} role="status" aria-label="Loading the clients">
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} height={268} radius={8} />
      ))}
    </div>
  )
}
