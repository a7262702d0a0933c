import { Button } from '@mantine/core'
import { type Query, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { RequestError } from '#web/api/http.ts'
import { mapConfigurationQuery, mapSummaryQuery, settingsQuery } from '#web/api/maps.api.ts'
import { CardPage, LoadingPage } from '#web/ui/card-page.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { useTimeZone } from '#web/ui/time-zone.ts'
import { MapView } from '#web/workspace/lazy-map.ts'
import { type MapVariant, mainView, viewer } from './map-variant.ts'

const MapScreen = lazyPart(() => import('./map-screen.tsx').then((module) => module.MapScreen))

/** Resolves even if parts fail to load: they report it when they render. */
export const preloadMapPage = () => Promise.all([MapScreen.preload(), MapView.preload()])

export function MapPage({ variant = mainView }: { variant?: MapVariant }) {
  const { mapId: idInAddress } = useParams({ strict: false })
  const settings = useQuery(settingsQuery)
  const mapId = idInAddress ?? (variant === viewer ? sampleMapId : settings.data?.defaultMapId) ?? null
  const options = { enabled: mapId !== null, refetchInterval: retryUntilLoaded }
  const summary = useQuery({ ...mapSummaryQuery(mapId ?? ''), ...options })
  const configuration = useQuery({ ...mapConfigurationQuery(mapId ?? ''), ...options })
  useTimeZone(summary.data?.timeZone)
  // An open map stays open while failed queries are retried.
  const [openId, setOpenId] = useState<string | null>(null)
  useEffect(() => {
    void preloadMapPage()
  }, [])

  usePageTitle(summary.data?.client?.name ?? '')

  if (settings.isError && !settings.data)
    return (
      <CardPage>
        <ErrorState
          title="Could not open the map."
          error={settings.error}
          onRetry={() => settings.refetch()}
        />
      </CardPage>
    )
  if (settings.data && mapId === null) return <NoMapYet />
  const { error } = summary
  if (error instanceof RequestError && (error.status === 404 || error.status === 400)) {
    if (openId !== null) setOpenId(null)
    return <NoSuchMap />
  }
  if (openId !== mapId && !summary.isPending && !configuration.isPending) setOpenId(mapId)
  if (!settings.data || mapId === null || openId !== mapId) return <Opening />
  return (
    <Guard what="The map" layout="page" waiting={<Opening />}>
      <MapScreen
        key={mapId}
        variant={variant}
        mapId={mapId}
        settings={settings.data}
        summary={summary.data}
        configuration={configuration.data}
      />
    </Guard>
  )
}

const retryMs = 5_000

/** The map opens without them and shows no error, so the page retries by itself. */
function retryUntilLoaded({ state: { data, error } }: { state: Pick<Query['state'], 'data' | 'error'> }) {
  const isTemporary = error instanceof RequestError && (error.status === 0 || error.status >= 500)
  return data === undefined && isTemporary ? retryMs : false
}

const Opening = () => <LoadingPage label="Opening the map" />

function NoSuchMap() {
  return (
    <CardPage
      title="Map not found"
      ways={
        <>
          <Button component={Link} to="/map">
            Go to main map
          </Button>
          <Button component={Link} to="/config/map" variant="default">
            Select a client
          </Button>
        </>
      }
    >
      <p>There is no map at this address. It may have been archived, or the link may be wrong.</p>
    </CardPage>
  )
}

function NoMapYet() {
  return (
    <CardPage title="No maps yet">
      <p>Import parcels, assets, or incidents to create the first one: npm run import -- --help</p>
    </CardPage>
  )
}
