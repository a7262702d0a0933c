import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import { MapPage } from './map-page/map-page.tsx'
import { readMapSearch } from './map-page/map-search.ts'
import { NotSetUpPage } from './not-set-up-page.tsx'

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

function notSetUpRoute<const Path extends string>(path: Path, title: string) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: () => <NotSetUpPage title={title} />,
  })
}

const configurationTitle = 'Rural Land Parcel Incident Map CMS'
const viewerTitle = 'High-volume viewer'

const routeTree = rootRoute.addChildren([
  mapRoute('/'),
  mapRoute('/map'),
  mapRoute('/map/$mapId'),
  mapRoute('/$'),
  notSetUpRoute('/config', configurationTitle),
  notSetUpRoute('/config/$', configurationTitle),
  notSetUpRoute('/webgl', viewerTitle),
  notSetUpRoute('/webgl/$', viewerTitle),
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
