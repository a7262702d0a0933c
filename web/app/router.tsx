import { CloseButton } from '@mantine/core'
import { IconLogout2, IconPlugConnectedX } from '@tabler/icons-react'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  useLocation,
  useParams,
  useSearch,
} from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { type ClosedSession, useClosedSession } from '#web/api/closed-session.ts'
import { isServerAway, useConnection } from '#web/api/connection.ts'
import { isPageOutdated } from '#web/api/page-version.ts'
import { signInAddress } from '#web/api/session.api.ts'
import { readClientSearch, readConfigMapSearch } from '#web/app/config/config-search.ts'
import { MapPage } from '#web/app/map-page/map-page.tsx'
import { readMapSearch } from '#web/app/map-page/map-search.ts'
import { viewer } from '#web/app/map-page/map-variant.ts'
import { useSessionWatch } from '#web/identity/use-session-watch.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { clockTime } from '#web/ui/relative-time.ts'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import classes from './frame.module.css'

// Section 2 of the specification, 'Screens and routes'. Any other path is the main map screen.

const ConfigShell = lazyPart(() => import('./config/config-shell.tsx').then((module) => module.ConfigShell))
const ClientSelectionPage = lazyPart(() =>
  import('./config/client-selection-page.tsx').then((module) => module.ClientSelectionPage),
)
const ApiTokensPage = lazyPart(() =>
  import('./config/api-tokens-page.tsx').then((module) => module.ApiTokensPage),
)
const PeoplePage = lazyPart(() => import('./config/people-page.tsx').then((module) => module.PeoplePage))
const ConfigMapPage = lazyPart(() =>
  import('./config/config-map-page.tsx').then((module) => module.ConfigMapPage),
)

const OwnReportPage = lazyPart(() =>
  import('./private-link-pages.tsx').then((module) => module.OwnReportPage),
)
const ConfirmReportPage = lazyPart(() =>
  import('./private-link-pages.tsx').then((module) => module.ConfirmReportPage),
)
const OwnSubscriptionsPage = lazyPart(() =>
  import('./private-link-pages.tsx').then((module) => module.OwnSubscriptionsPage),
)
const WorkOrderPage = lazyPart(() =>
  import('./private-link-pages.tsx').then((module) => module.WorkOrderPage),
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

/** For printed codes: /map/pine-ridge/report?asset=hydrant-7 */
const reportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/map/$mapId/report',
  validateSearch: readMapSearch,
  component: ToReport,
})

function ToReport() {
  const { mapId = '' } = useParams({ strict: false })
  const { asset } = useSearch({ strict: false })
  return <Navigate to="/map/$mapId" params={{ mapId }} search={{ report: 'new', asset }} replace />
}

const ownReportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/report/$mapId/$id',
  component: guarded(OwnReportPage),
})

const confirmReportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/report/$mapId/$id/confirm',
  component: guarded(ConfirmReportPage),
})

const ownSubscriptionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/updates/$mapId/$id',
  component: guarded(OwnSubscriptionsPage),
})

const workOrderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/work/$mapId/$id',
  component: guarded(WorkOrderPage),
})

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

const peopleRoute = createRoute({
  getParentRoute: () => configArea,
  path: '/config/people',
  component: guarded(PeoplePage),
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
  reportRoute,
  ownReportRoute,
  confirmReportRoute,
  ownSubscriptionsRoute,
  workOrderRoute,
  mapRoute('/$'),
  configArea.addChildren([
    selectionRoute('/config'),
    selectionRoute('/config/map'),
    tokensRoute,
    peopleRoute,
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

function Frame() {
  useSessionWatch()
  return (
    <div className={classes.frame}>
      <ConnectionNotice />
      <SignedOutNotice />
      <div className={classes.screen}>
        <Outlet />
      </div>
    </div>
  )
}

function SignedOutNotice() {
  const closed = useClosedSession()
  const isPublic = useLocation({ select: ({ pathname }) => !/^\/config(\/|$)/.test(pathname) })
  const [seen, setSeen] = useState<ClosedSession | null>(null)
  if (!closed || !isPublic || seen === closed) return <div role="status" />
  const { pathname, search, hash } = window.location
  const unsaved = [
    ...closed.kept.map((text) => `${text}: stored in this tab until you sign in again.`),
    ...closed.lost.map((text) => `${text}: discarded.`),
  ]
  return (
    <div role="status">
      <p className={classes.notice}>
        <IconLogout2 size={16} aria-hidden="true" />
        <span>
          You are signed out and see the public map. {unsaved.join(' ')}{' '}
          <a href={signInAddress(`${pathname}${search}${hash}`)}>Sign in again</a>
        </span>
        <CloseButton size="sm" aria-label="Close" onClick={() => setSeen(closed)} />
      </p>
    </div>
  )
}

function ConnectionNotice() {
  const { isAway, isLiveLost, asOf } = useConnection()
  // A live region must exist before its text for all screen readers to announce it.
  return (
    <div role="status">
      {(isAway || isLiveLost) && (
        <p className={classes.notice}>
          <IconPlugConnectedX size={16} aria-hidden="true" />
          <span>
            {isAway ? 'No connection.' : 'Live updates paused.'} Showing data from{' '}
            <time dateTime={new Date(asOf).toISOString()}>{clockTime(asOf)}</time>.
          </span>
        </p>
      )}
    </div>
  )
}
