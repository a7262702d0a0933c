import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { createQueryClient } from '#web/api/query-client.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

const queryClient = createQueryClient()

/** The nonce under which the server's policy lets styles in. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// Dialogs keep the page behind them from scrolling with a style of their own.
setNonce(styleNonce)

export function Application() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
