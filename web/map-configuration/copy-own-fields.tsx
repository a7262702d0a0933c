import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Client } from '#domain/clients/client.schema.ts'
import type { OwnFieldsAnswer } from '#domain/features/own-fields.schema.ts'
import { mapKinds, type OwnFields } from '#domain/features/own-fields.ts'
import { foldText } from '#domain/values/text.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeOwnFields, ownFieldsQuery } from '#web/api/own-fields.api.ts'
import { CopyToOthers } from './copy-to-others.tsx'

/** Copies the saved own fields of a client to other clients. */
export function CopyOwnFields({ source }: { source: OwnFieldsAnswer }) {
  const client = useQueryClient()
  async function copyTo({ id }: Client): Promise<string> {
    const current = await client.fetchQuery({ ...ownFieldsQuery(id), staleTime: 0 })
    const answer = await changeOwnFields(id, current.version, joined(current.fields, source.fields))
    if (answer.version === current.version) return 'has these fields already'
    client.setQueryData(ownFieldsQuery(id).queryKey, answer)
    followChanges(client, [{ mapId: id, part: 'fields', id: null, version: null }])
    return 'has these fields now'
  }
  return (
    <CopyToOthers
      what="fields"
      ownId={source.mapId}
      hasAny={Object.values(source.fields).some(({ length }) => length > 0)}
      copyTo={copyTo}
      outcome={{ section: 'fields' }}
    >
      <Text c="dimmed" size="sm">
        The saved fields are added to those of the others. What they have already, by its key or its name,
        stays as it is. No values are copied.
      </Text>
    </CopyToOthers>
  )
}

/** Their fields, then those of ours that they do not have. */
function joined(theirs: OwnFields, ours: OwnFields): OwnFields {
  return mapKinds(theirs, (some, kind) => {
    const has = (key: string, label: string) =>
      some.some((own) => own.key === key || foldText(own.label) === foldText(label))
    return [...some, ...ours[kind].filter(({ key, label }) => !has(key, label))]
  })
}
