import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { PeoplePage } from '#domain/access/people.schema.ts'
import { inPages } from './http.ts'

const pageSize = 100

export function peopleQuery(text: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['people', text ?? ''],
    ...inPages<PeoplePage>('/api/people', { text, limit: pageSize }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
