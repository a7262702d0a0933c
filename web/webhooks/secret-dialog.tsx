import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint, SecretChange } from '#domain/webhooks/webhook.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeSecret } from '#web/api/webhooks.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SecretShown } from './secret-shown.tsx'

type SecretDialogProps = { mapId: string; endpoint: Endpoint; isOpen: boolean; onClose(): void }

/** Replaces the secret. */
export function SecretDialog({ mapId, endpoint, isOpen, onClose }: SecretDialogProps) {
  return (
    <Dialog title="New secret" isOpen={isOpen} onClose={onClose} closesByClickBeside={false}>
      {() => <NewSecret mapId={mapId} endpoint={endpoint} onClose={onClose} />}
    </Dialog>
  )
}

function NewSecret({ mapId, endpoint, onClose }: Omit<SecretDialogProps, 'isOpen'>) {
  const client = useQueryClient()
  const [formerEnds, setFormerEnds] = useState<SecretChange['formerEnds']>('after-a-day')
  const making = useMutation({
    mutationFn: () => changeSecret(mapId, endpoint, { formerEnds }),
    onSettled: () => followChanges(client, [{ mapId, part: 'webhooks', id: endpoint.id, version: null }]),
  })
  if (making.data) return <SecretShown secret={making.data.secret} onClose={onClose} />
  return (
    <>
      <Radio.Group
        label="The present secret"
        value={formerEnds}
        onChange={(value) => setFormerEnds(value as SecretChange['formerEnds'])}
      >
        <Stack gap="sm" mt={8}>
          <Radio
            value="after-a-day"
            label="Signs for another 24 hours"
            description="Every message has both signatures until the receiver knows the new secret."
          />
          <Radio
            value="at-once"
            label="Ends at once"
            description="Where somebody else has come to know it."
          />
        </Stack>
      </Radio.Group>
      {making.error && (
        <Text c="var(--mantine-color-error)" role="alert" mt="md">
          There is no new secret: {making.error.message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={making.isPending} onClick={() => making.mutate()}>
          Make a new secret
        </Button>
      </Group>
    </>
  )
}
