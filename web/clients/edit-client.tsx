import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client, NewClient } from '#domain/clients/client.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeClient, clientsKey } from '#web/api/clients.api.ts'
import { RequestError } from '#web/api/http.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { tellDone } from '#web/ui/toasts.tsx'
import { ClientForm } from './client-form.tsx'

type EditClientProps = { client: Client; isOpen: boolean; onClose(): void }

export function EditClient({ client, isOpen, onClose }: EditClientProps) {
  return (
    <Dialog title="Rename or relocate" isOpen={isOpen} onClose={onClose}>
      {() => <ChangeForm client={client} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeForm({ client, onClose }: { client: Client; onClose(): void }) {
  const queryClient = useQueryClient()
  // Live updates load newer versions while the user types: the version at the start counts.
  const [{ version: openedVersion }] = useState(client)
  const changing = useMutation({
    mutationFn: ({ change, version }: { change: NewClient; version: number }) =>
      changeClient({ ...client, version }, change),
    onSuccess: ({ id, name, version }) => {
      followChanges(queryClient, [{ mapId: id, part: 'client', id, version }])
      onClose()
      tellDone(`${name} is saved`)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: clientsKey }),
  })
  const isOvertaken = changing.error instanceof RequestError && changing.error.status === 412
  return (
    <ClientForm
      initial={{ name: client.name, location: client.location }}
      submitLabel="Save"
      isPending={changing.isPending}
      error={
        isOvertaken
          ? new Error(
              `Somebody else has changed this client meanwhile: it is now ‘${client.name}’, ${client.location}. Save again to replace that.`,
            )
          : changing.error
      }
      onSubmit={(change) =>
        changing.mutate({ change, version: isOvertaken ? client.version : openedVersion })
      }
      onCancel={onClose}
    />
  )
}
