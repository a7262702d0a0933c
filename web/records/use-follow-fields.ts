import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownFieldsQuery } from '#web/api/own-fields.api.ts'
import type { KeptDrafts } from './kept-drafts.ts'
import { type Draft, withOwnFields } from './record-draft.ts'

/**
 * A draft has the fields that its client has by now, once they are known: a manager may add or remove some while
 * somebody fills in a form.
 */
export function useFollowFields(kept: KeptDrafts, draft: Draft | null, mapId: string) {
  const ownFields = useQuery(ownFieldsQuery(mapId)).data?.fields
  useEffect(() => {
    if (!draft || !ownFields || JSON.stringify(draft.ownFields) === JSON.stringify(ownFields)) return
    kept.keep(withOwnFields(draft, ownFields))
  }, [kept, draft, ownFields])
}
