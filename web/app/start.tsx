import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { mapOfPath } from '#domain/opening/opening-page.ts'
import { watchConnection } from '#web/api/connection.ts'
import { watchPresence } from '#web/api/http.ts'
import { watchPageVersion } from '#web/api/page-version.ts'
import { keepFocus } from '#web/ui/keep-focus.ts'
import { ChunkError } from '#web/ui/load-chunk.ts'
import { watchPrinting } from '#web/ui/printing.ts'
import { guardUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { Application } from './application.tsx'
import { preloadMapPage } from './map-page/map-page.tsx'

/** Resolves when the first screen of the address can render without loading more code. */
export async function preload(): Promise<void> {
  if (mapOfPath(window.location.pathname)) await preloadMapPage()
}

export function start(element: HTMLElement): void {
  watchConnection()
  watchPresence()
  watchPageVersion()
  watchPrinting()
  keepFocus()
  guardUnsavedWork()
  if (document.readyState === 'complete') prepareForOffline()
  else window.addEventListener('load', prepareForOffline)
  const root = createRoot(element, {
    // The page reports chunks that failed to load; other errors are bugs.
    onCaughtError: (error) => {
      if (!(error instanceof ChunkError)) console.error(error)
    },
  })
  // A transition renders in slices, so that the starting map gets its tiles in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <Application />
      </StrictMode>,
    ),
  )
}

/** Browsers allow it over HTTPS and on this machine only. The page works the same without it. */
function prepareForOffline() {
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
}
