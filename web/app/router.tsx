import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { readClientSearch } from './config/client-search.ts'
import { readWorkspaceSearch } from './config/workspace-search.ts'
import { MapPage } from './map-page/map-page.tsx'
import { readMapSearch } from './map-page/map-search.ts'
import { viewer } from './map-page/map-variant.ts'

// Section 2 of the specification, 'Screens and routes'. Any other path is the main map screen.

const rootRoute = createRootRoute({ component: Outlet })

function mapRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readMapSearch,
    component: MapPage,
  })
}

function viewerRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readMapSearch,
    component: () => <MapPage variant={viewer} />,
  })
}

// A layout without a path of its own: the shell stays while the places in it change.
const configArea = createRoute({
  getParentRoute: () => rootRoute,
  id: 'config-area',
  component: lazyRouteComponent(() => import('./config/config-shell.tsx'), 'ConfigShell'),
})

function selectionRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => configArea,
    path,
    validateSearch: readClientSearch,
    component: lazyRouteComponent(() => import('./config/client-selection-page.tsx'), 'ClientSelectionPage'),
  })
}

function workspaceRoute<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => configArea,
    path,
    validateSearch: readWorkspaceSearch,
    component: lazyRouteComponent(() => import('./config/map-workspace-page.tsx'), 'MapWorkspacePage'),
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
    workspaceRoute('/config/map/$mapId'),
    workspaceRoute('/config/map/$mapId/$section'),
  ]),
  viewerRoute('/webgl'),
  viewerRoute('/webgl/$mapId'),
])

export const router = createRouter({
  routeTree,
  // Plain text, so that a link can be read and written by hand.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(search))
      if (value !== undefined) query.set(name, String(value))
    const text = query.toString()
    return text === '' ? '' : `?${text}`
  },
  defaultPreload: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
