import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { RequestError } from '#web/api/http.ts'
import { mapConfigurationQuery, mapSummaryQuery, settingsQuery } from '#web/api/maps.api.ts'
import { CardPage, LoadingPage } from '#web/ui/card-page.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useTimeZone } from '#web/ui/time-zone.ts'
import { ConfigMapScreen, isSection } from './config-map-screen.tsx'

export function ConfigMapPage() {
  const { mapId = '', section } = useParams({ strict: false })
  const settings = useQuery(settingsQuery)
  const summary = useQuery(mapSummaryQuery(mapId))
  const configuration = useQuery(mapConfigurationQuery(mapId))
  useTimeZone(summary.data?.timeZone)
  if (!isSection(section))
    return <Navigate to="/config/map/$mapId/$section" params={{ mapId, section: 'map' }} replace />

  const failed = [summary, configuration, settings].find(({ data, isError }) => isError && !data)
  if (failed) {
    const { error } = failed
    const isMissing = error instanceof RequestError && [400, 404].includes(error.status)
    const ways = (
      <Button component={Link} to="/config/map">
        Select a client
      </Button>
    )
    return isMissing ? (
      <CardPage title="Map not found" ways={ways}>
        <p>There is no map at this address. It may have been archived, or the link may be wrong.</p>
      </CardPage>
    ) : (
      <CardPage>
        <ErrorState title="Could not open the map." error={error} onRetry={() => failed.refetch()} />
      </CardPage>
    )
  }
  if (!settings.data || !summary.data || !configuration.data) return <LoadingPage label="Opening the map" />
  return (
    <ConfigMapScreen
      key={mapId}
      section={section}
      settings={settings.data}
      summary={summary.data}
      configuration={configuration.data}
    />
  )
}
