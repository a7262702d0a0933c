import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client } from '#domain/clients/client.schema.ts'
import type { OwnFieldsAnswer } from '#domain/features/own-fields.schema.ts'
import { mapKinds, type OwnFields } from '#domain/features/own-fields.ts'
import { foldText } from '#domain/values/text.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeOwnFields, ownFieldsQuery } from '#web/api/own-fields.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { type Outcome, Outcomes, Targets } from './copy-settings.tsx'

/** Gives the saved fields of a client to others, beside those that they have. */
export function CopyOwnFields({ source }: { source: OwnFieldsAnswer }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const hasFields = Object.values(source.fields).some(({ length }) => length > 0)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={16} aria-hidden="true" />}
        disabled={!hasFields}
        onClick={open}
      >
        Copy to others
      </Button>
      <Dialog title="Copy fields to other clients" isOpen={isOpen} onClose={close}>
        {() => <CopyForm source={source} onClose={close} />}
      </Dialog>
    </>
  )
}

function CopyForm({ source, onClose }: { source: OwnFieldsAnswer; onClose(): void }) {
  const [chosen, setChosen] = useState<readonly Client[]>([])
  const copying = useCopying(source.fields)
  if (copying.data)
    return (
      <Stack gap="md">
        <Outcomes outcomes={copying.data} section="fields" />
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        The saved fields are added to those of the others. What they have already, by its key or its name,
        stays as it is. No values are copied.
      </Text>
      <Targets ownId={source.mapId} chosen={chosen} onChoose={setChosen} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={copying.isPending}
          disabled={chosen.length === 0}
          onClick={() => copying.mutate(chosen)}
        >
          {chosen.length > 0
            ? `Copy to ${chosen.length} ${chosen.length === 1 ? 'client' : 'clients'}`
            : 'Copy'}
        </Button>
      </Group>
    </Stack>
  )
}

/** Theirs, and behind them those that they do not have. */
function joined(theirs: OwnFields, ours: OwnFields): OwnFields {
  return mapKinds(theirs, (some, kind) => {
    const has = (key: string, label: string) =>
      some.some((own) => own.key === key || foldText(own.label) === foldText(label))
    return [...some, ...ours[kind].filter(({ key, label }) => !has(key, label))]
  })
}

/** One after the other: what fails for one changes nothing of it, nor of others. */
function useCopying(fields: OwnFields) {
  const queryClient = useQueryClient()
  async function copyTo(client: Client): Promise<Outcome> {
    try {
      const present = await queryClient.fetchQuery({ ...ownFieldsQuery(client.id), staleTime: 0 })
      const answer = await changeOwnFields(client.id, present.version, joined(present.fields, fields))
      if (answer.version === present.version)
        return { client, text: 'has these fields already', isFailure: false }
      queryClient.setQueryData(ownFieldsQuery(client.id).queryKey, answer)
      followChanges(queryClient, [{ mapId: client.id, part: 'fields', id: null, version: null }])
      return { client, text: 'has these fields now', isFailure: false }
    } catch (error) {
      return { client, text: `fields not changed: ${(error as Error).message}`, isFailure: true }
    }
  }
  return useMutation({
    mutationFn: async (targets: readonly Client[]) => {
      const outcomes: Outcome[] = []
      for (const client of targets) outcomes.push(await copyTo(client))
      return outcomes
    },
  })
}
