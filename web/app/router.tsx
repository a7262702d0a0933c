import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { isServerAway } from '#web/api/connection.ts'
import { isPageOutdated } from '#web/api/page-version.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { readClientSearch, readConfigMapSearch } from './config/config-search.ts'
import { Frame } from './frame.tsx'
import { MapPage } from './map-page/map-page.tsx'
import { readMapSearch } from './map-page/map-search.ts'
import { viewer } from './map-page/map-variant.ts'

// Section 2 of the specification, 'Screens and routes'. Any other path is the main map screen.

const ConfigShell = lazyPart(() => import('./config/config-shell.tsx').then((module) => module.ConfigShell))
const ClientSelectionPage = lazyPart(() =>
  import('./config/client-selection-page.tsx').then((module) => module.ClientSelectionPage),
)
const ApiTokensPage = lazyPart(() =>
  import('./config/api-tokens-page.tsx').then((module) => module.ApiTokensPage),
)
const ConfigMapPage = lazyPart(() =>
  import('./config/config-map-page.tsx').then((module) => module.ConfigMapPage),
)

const guarded = (Page: ComponentType) => () => (
  <Guard what="This page" layout="page">
    <Page />
  </Guard>
)

const rootRoute = createRootRoute({ component: Frame })

function mapRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readMapSearch,
    component: guarded(MapPage),
  })
}

function viewerRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readMapSearch,
    component: guarded(() => <MapPage variant={viewer} />),
  })
}

// A layout route: the shell stays mounted while its screens change.
const configArea = createRoute({
  getParentRoute: () => rootRoute,
  id: 'config-area',
  component: guarded(ConfigShell),
})

function selectionRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => configArea,
    path,
    validateSearch: readClientSearch,
    component: guarded(ClientSelectionPage),
  })
}

const tokensRoute = createRoute({
  getParentRoute: () => configArea,
  path: '/config/tokens',
  component: guarded(ApiTokensPage),
})

function workspaceRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => configArea,
    path,
    validateSearch: readConfigMapSearch,
    component: guarded(ConfigMapPage),
  })
}

const routeTree = rootRoute.addChildren([
  mapRoute('/'),
  mapRoute('/map'),
  mapRoute('/map/$mapId'),
  mapRoute('/$'),
  configArea.addChildren([
    selectionRoute('/config'),
    selectionRoute('/config/map'),
    tokensRoute,
    workspaceRoute('/config/map/$mapId'),
    workspaceRoute('/config/map/$mapId/$section'),
  ]),
  viewerRoute('/webgl'),
  viewerRoute('/webgl/$mapId'),
])

export function createPageRouter() {
  const router = createRouter({
    routeTree,
    // Plain text, so that links are readable.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(search))
        if (value !== undefined) query.set(name, String(value))
      const text = query.toString()
      return text === '' ? '' : `?${text}`
    },
    defaultPreload: false,
    // The guard around the router catches remaining errors.
    disableGlobalCatchBoundary: true,
  })

  // An outdated page cannot load chunks that a new release has replaced. Reloads on the next navigation to another
  // screen, unless there is unsaved work.
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (!pathChanged || !isPageOutdated() || isServerAway() || unsavedWork().length > 0) return
    router.history.flush()
    window.location.reload()
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
