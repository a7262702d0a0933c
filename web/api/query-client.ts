import { QueryClient } from '@tanstack/react-query'
import { RequestError } from './http.ts'

/** Answers stay fresh until a live update says otherwise; only what may pass by itself is tried again. */
export function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => {
          const mayPass = error instanceof RequestError && (error.status === 0 || error.status >= 500)
          return mayPass && failures < 2
        },
        retryDelay: (failures) => Math.min(4_000, 500 * 2 ** failures),
      },
    },
  })
}
