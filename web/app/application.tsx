import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { type ReactNode, useMemo } from 'react'
import { doubtConnection, useConnection } from '#web/api/connection.ts'
import { fillWithOpening } from '#web/api/fill-with-opening.ts'
import { checkPageVersion, usePageOutdated } from '#web/api/page-version.ts'
import { createQueryClient } from '#web/api/query-client.ts'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import { Guard } from '#web/ui/guard.tsx'
import { Tips } from '#web/ui/tips.tsx'
import { followUndoOffers } from './follow-undo-offers.ts'
import { createPageRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

const queryClient = createQueryClient()
const pageRouter = createPageRouter()
fillWithOpening(queryClient)
followUndoOffers(queryClient)

const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// Dialogs add a style element that keeps the page from scrolling.
setNonce(styleNonce)

export const Application = () => (
  <PageRoot client={queryClient}>
    <RouterProvider router={pageRouter} />
  </PageRoot>
)

export function PageRoot({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={client}>
        <ConnectionProvider>
          <Guard what="The page" layout="page">
            {children}
          </Guard>
          <Tips />
        </ConnectionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

function doubt() {
  doubtConnection()
  void checkPageVersion()
}

function ConnectionProvider({ children }: { children: ReactNode }) {
  const { isAway } = useConnection()
  const isOutdated = usePageOutdated()
  const value = useMemo(() => ({ isAway, isOutdated, doubt }), [isAway, isOutdated])
  return <ConnectionContext value={value}>{children}</ConnectionContext>
}
