import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { bulkChangeQuery } from './bulk-changes.api.ts'
import { featureDetailQuery, featureHistoryQuery } from './features.api.ts'
import { filesQuery } from './files.api.ts'
import { RequestError } from './http.ts'
import { maintenanceQuery } from './maintenance.api.ts'
import { mapConfigurationQuery } from './maps.api.ts'

/** Asks the server whether an undo is still possible. Without an answer it counts as possible: the undo itself decides. */
export async function isUndoPossible(client: QueryClient, basis: UndoBasis): Promise<boolean> {
  try {
    return await compare(client, basis)
  } catch (error) {
    return !(error instanceof RequestError && [401, 403, 404, 410].includes(error.status))
  }
}

async function compare(client: QueryClient, basis: UndoBasis): Promise<boolean> {
  const { mapId } = basis
  const ask = <Answer, Key extends QueryKey>(query: FetchQueryOptions<Answer, Error, Answer, Key>) =>
    client.fetchQuery({ ...query, staleTime: 0 })
  switch (basis.of) {
    case 'feature': {
      const { version } = await ask(featureDetailQuery(mapId, basis.id))
      return version === basis.version
    }
    case 'removed feature': {
      const [last] = (await ask(featureHistoryQuery(mapId, basis.id))).items
      return last?.changeId === basis.changeId
    }
    case 'maintenance entry': {
      const { items } = await ask(maintenanceQuery(mapId, basis.featureId))
      return isSameEntry(items.find(({ id }) => id === basis.entryId) ?? null, basis.entry)
    }
    case 'bulk change': {
      const { canUndo } = await ask(bulkChangeQuery(mapId, basis.changeId))
      return canUndo
    }
    case 'files': {
      const { items } = await ask(filesQuery(mapId, basis.featureId))
      return basis.files.some((file) =>
        items.some(({ id, version }) => id === file.id && version === file.version),
      )
    }
    case 'removed file': {
      const { removed } = await ask(filesQuery(mapId, basis.featureId))
      return removed.some(({ id }) => id === basis.fileId)
    }
    case 'configuration': {
      const { version } = await ask(mapConfigurationQuery(mapId))
      return version === basis.version
    }
    case 'report':
    case 'archiving':
      return true
  }
}

/** The version of an entry is that of its feature: the rest is compared. */
function isSameEntry(one: MaintenanceEntry | null, other: MaintenanceEntry | null): boolean {
  const comparable = (entry: MaintenanceEntry | null) => JSON.stringify(entry && { ...entry, version: 0 })
  return comparable(one) === comparable(other)
}
