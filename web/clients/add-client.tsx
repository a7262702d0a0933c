import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { NewClient } from '#domain/clients/client.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { addClient } from '#web/api/clients.api.ts'
import { newKey } from '#web/api/http.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { ClientForm } from './client-form.tsx'

export function AddClient({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog title="Add client" isOpen={isOpen} onClose={onClose}>
      {() => <NewClientForm onClose={onClose} />}
    </Dialog>
  )
}

function NewClientForm({ onClose }: { onClose(): void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // Repeated requests with the same input create one client.
  const sent = useRef({ body: '', key: '' })
  // Set before the button shows that it is busy: ignores the second click of a double click.
  const isUnderWay = useRef(false)
  const adding = useMutation({
    mutationFn: (client: NewClient) => {
      const body = JSON.stringify(client)
      if (sent.current.body !== body) sent.current = { body, key: newKey() }
      return addClient(client, sent.current.key)
    },
    onSuccess: ({ id, name, version }) => {
      followChanges(queryClient, [{ mapId: id, part: 'client', id, version }])
      onClose()
      showSuccess(`${name} added`)
      void navigate({ to: '/config/map/$mapId/$section', params: { mapId: id, section: 'map' } })
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  function add(client: NewClient) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    adding.mutate(client)
  }
  return (
    <ClientForm
      initial={{ name: '', location: '' }}
      submitLabel="Add client"
      isPending={adding.isPending}
      error={adding.error}
      onSubmit={add}
      onCancel={onClose}
    />
  )
}
