import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { mapOfPath } from '#domain/opening/opening-page.ts'
import { ChunkError } from '#web/ui/load-chunk.ts'
import { Application } from './application.tsx'
import { preloadMapPage } from './map-page/map-page.tsx'

/** Resolves when what the address shows first can be shown at once. */
export async function preload(): Promise<void> {
  if (mapOfPath(window.location.pathname)) await preloadMapPage()
}

/** Puts the page into its element. */
export function start(element: HTMLElement): void {
  const root = createRoot(element, {
    // What did not come over the network is told on the page; what is broken belongs on the console too.
    onCaughtError: (error) => {
      if (!(error instanceof ChunkError)) console.error(error)
    },
  })
  // In small pieces: the map that begins beside it is told of its tiles between them.
  startTransition(() =>
    root.render(
      <StrictMode>
        <Application />
      </StrictMode>,
    ),
  )
}
