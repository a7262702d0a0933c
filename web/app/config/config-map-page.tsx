import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { RequestError } from '#web/api/http.ts'
import { mapConfigurationQuery, mapSummaryQuery, settingsQuery } from '#web/api/maps.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from '../plain-page.module.css'
import { ConfigMapScreen, isSection } from './config-map-screen.tsx'

export function ConfigMapPage() {
  const { mapId = '', section } = useParams({ strict: false })
  const settings = useQuery(settingsQuery)
  const summary = useQuery(mapSummaryQuery(mapId))
  const configuration = useQuery(mapConfigurationQuery(mapId))
  if (!isSection(section))
    return <Navigate to="/config/map/$mapId/$section" params={{ mapId, section: 'map' }} replace />

  const failed = [summary, configuration, settings].find(({ data, isError }) => isError && !data)
  if (failed) {
    const { error } = failed
    const isMissing = error instanceof RequestError && [400, 404].includes(error.status)
    return (
      <main className={classes.page}>
        {isMissing ? (
          <>
            <h1>Map not found</h1>
            <p>There is no map at this address, or its client is archived.</p>
            <Button component={Link} to="/config/map">
              Select a client
            </Button>
          </>
        ) : (
          <ErrorState title="Could not open the map." error={error} onRetry={() => failed.refetch()} />
        )}
      </main>
    )
  }
  if (!settings.data || !summary.data || !configuration.data)
    return (
      <main className={classes.page} aria-busy="true">
        <Loader aria-label="Opening the map" />
      </main>
    )
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
