import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { isServerAway, onReturn } from './connection.ts'
import { LateAnswerError, RequestError } from './http.ts'

/**
 * Data stays fresh until a live update. Only temporary failures are retried. Without a connection, requests fail at
 * once, and are repeated when the server is back.
 */
export function createQueryClient() {
  // The default waits for a later task, and the second click of a double click would find the button enabled.
  notifyManager.setScheduler(queueMicrotask)
  const client = new QueryClient({
    queryCache: new QueryCache({
      // Deleted data disappears; data that cannot be reloaded stays.
      onError(error, query) {
        const isGone = error instanceof RequestError && error.status === 404
        if (isGone && query.state.data !== undefined) query.setState({ data: undefined })
      },
    }),
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => {
          if (!(error instanceof RequestError) || error instanceof LateAnswerError) return false
          const mayPass = error.status === 0 || error.status >= 500
          return mayPass && failures < 2 && !isServerAway()
        },
        // A refusal stays valid for other components that mount soon after.
        retryOnMount: ({ state: { error, errorUpdatedAt } }) =>
          !isRefusal(error) || Date.now() - errorUpdatedAt > refusalFreshMs,
        retryDelay: (failures) => Math.min(4_000, 500 * 2 ** failures),
      },
    },
  })
  onReturn(() => void client.invalidateQueries())
  return client
}

/**
 * Longer than the parts of one page take to appear. The library marks every failed query as invalidated, so only its
 * age distinguishes them.
 */
const refusalFreshMs = 5_000

/** The same request gets the same refusal until something changes. */
function isRefusal(error: Error | null): boolean {
  if (!(error instanceof RequestError) || error instanceof LateAnswerError) return false
  return error.status === 400 || error.status === 403 || error.status === 404 || error.status === 410
}
