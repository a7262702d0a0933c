import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isServerAway, onReturn } from './connection.ts'
import { LateAnswerError, RequestError } from './http.ts'

/**
 * Answers stay fresh until a live update says otherwise; only what may pass by itself is tried again. Without a
 * connection nothing is put off in silence: it fails at once, says so, and is asked for again when the server is back.
 */
export function createQueryClient() {
  const client = new QueryClient({
    queryCache: new QueryCache({
      // What is not there any more is not shown any more; what could not be asked for again is.
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
        retryDelay: (failures) => Math.min(4_000, 500 * 2 ** failures),
      },
    },
  })
  onReturn(() => void client.invalidateQueries())
  return client
}
