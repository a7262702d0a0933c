import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Loader,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core'
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
import { createPageRouter } from './router.tsx'

const queryClient = createQueryClient()
const pageRouter = createPageRouter()
fillWithOpening(queryClient)

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

/** The accent color. Stronger colors are reserved for data. */
const forest: MantineColorsTuple = [
  '#edf6f1',
  '#d8ebe1',
  '#b0d7c3',
  '#86c2a3',
  '#6fbf95',
  '#4b9b74',
  '#3b8361',
  '#2f6b4f',
  '#265740',
  '#1c4331',
]

const theme = createTheme({
  colors: { forest },
  primaryColor: 'forest',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  // Mantine computes the contrast color from the light shade only.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    const isAccent = input.variant === 'filled' && (input.color ?? 'forest') === 'forest'
    return isAccent ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors
  },
  defaultRadius: 8,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Without a role, a label is ignored by screen readers.
    Loader: Loader.extend({ defaultProps: { role: 'progressbar' } }),
    // Focuses the first item instead of an element without a role. No Menu.extend: menus load later.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
})

const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#59636a',
    '--mantine-color-error': '#b42318',
  },
  dark: {
    '--mantine-color-body': '#1b1f21',
    '--mantine-color-dimmed': '#a3adb3',
    '--mantine-color-error': '#f5a49c',
  },
})
