import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import classes from './plain-page.module.css'

/** A place that the address knows and that is not built yet. */
export function NotSetUpPage({ title }: { title: string }) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className={classes.page}>
      <h1>{title}</h1>
      <p>This part is not set up yet. The public map works without it.</p>
      <Button component={Link} to="/map">
        To the map
      </Button>
    </main>
  )
}
