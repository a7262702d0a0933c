import type { QueryClient } from '@tanstack/react-query'
import { mapOfPath, openingList } from '#domain/opening/opening-page.ts'
import { featureListQuery } from './features.api.ts'
import { mapConfigurationQuery, mapSummaryQuery, settingsQuery } from './maps.api.ts'
import { readOpening } from './opening-data.ts'

export function fillWithOpening(client: QueryClient): void {
  const opening = readOpening()
  if (!opening) return
  client.setQueryData(settingsQuery.queryKey, opening.settings)
  if (!opening.map) return
  const { summary, configuration, list } = opening.map
  client.setQueryData(mapSummaryQuery(summary.id).queryKey, summary)
  client.setQueryData(mapConfigurationQuery(summary.id).queryKey, configuration)
  if (!list) return
  const filter = openingList(mapOfPath(window.location.pathname)?.isViewer === true)
  client.setQueryData(featureListQuery(summary.id, filter).queryKey, { pages: [list], pageParams: [null] })
}
