import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { descriptionLength, type Endpoint, urlLength } from '#domain/webhooks/webhook.schema.ts'
import { isOfOneKind, type WebhookEvent, webhookEvents } from '#domain/webhooks/webhook-event.ts'
import { followChanges } from '#web/api/changes.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import { addWebhook, changeWebhook } from '#web/api/webhooks.api.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { SecretShown } from './secret-shown.tsx'

type WebhookDialogProps = {
  mapId: string
  endpoint: Endpoint | null
  isOpen: boolean
  onClose(): void
}

export function WebhookDialog({ mapId, endpoint, isOpen, onClose }: WebhookDialogProps) {
  return (
    <Dialog
      title={endpoint ? 'Edit webhook' : 'Add webhook'}
      isOpen={isOpen}
      onClose={onClose}
      closesByClickBeside={false}
    >
      {() => <WebhookForm mapId={mapId} endpoint={endpoint} onClose={onClose} />}
    </Dialog>
  )
}

const allEvents = Object.keys(webhookEvents) as WebhookEvent[]
const allKinds = Object.keys(definitions) as DefinedKind[]
const usualEvents = allEvents.filter((event) => event.startsWith('feature') || event.startsWith('import.'))

function WebhookForm({ mapId, endpoint, onClose }: Omit<WebhookDialogProps, 'isOpen'>) {
  const client = useQueryClient()
  const [id] = useState(newKey)
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(endpoint?.events ?? usualEvents)
  const [kinds, setKinds] = useState<readonly DefinedKind[]>(
    endpoint && endpoint.kinds.length > 0 ? endpoint.kinds : allKinds,
  )
  const [isChecked, setIsChecked] = useState(false)
  const saving = useMutation({
    async mutationFn() {
      const values = {
        url: url.trim(),
        description: description.trim(),
        events: [...events],
        kinds: kinds.length === allKinds.length ? [] : [...kinds],
      }
      if (!endpoint) return (await addWebhook(mapId, { id, ...values })).secret
      await changeWebhook(mapId, endpoint, { ...values, isOn: endpoint.isOn })
      return null
    },
    onSuccess(secret) {
      if (secret !== null) return
      onClose()
      showSuccess('Webhook saved')
    },
    onSettled: () => followChanges(client, [{ mapId, part: 'webhooks', id: null, version: null }]),
  })
  if (saving.data) return <SecretShown secret={saving.data} onClose={onClose} />
  const refused = saving.error instanceof RequestError ? saving.error.fields : []
  const isOfKinds = events.some(isOfOneKind)
  const problems = {
    url: url.trim() === '' ? 'Enter a URL.' : null,
    events: events.length === 0 ? 'Choose at least one.' : null,
    kinds: isOfKinds && kinds.length === 0 ? 'Choose at least one.' : null,
  }
  const refusal = refused.find(({ name }) => name === 'url')?.message
  const problemOf = (name: keyof typeof problems) => (isChecked ? problems[name] : null)
  function submit() {
    setIsChecked(true)
    if (Object.values(problems).every((problem) => problem === null)) saving.mutate()
  }
  return (
    <CheckedForm refusal={saving.error} onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="URL"
          description="HTTPS, on port 443 or 8443"
          placeholder="https://example.org/hook"
          type="url"
          required
          data-autofocus
          maxLength={urlLength}
          value={url}
          error={problemOf('url') ?? (refusal && `The URL ${refusal}.`)}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label="Description"
          description="For example, the receiving system"
          maxLength={descriptionLength}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Events
          label="Record events"
          of={allEvents.filter(isOfOneKind)}
          chosen={events}
          error={problemOf('events')}
          onChange={setEvents}
        />
        {isOfKinds && (
          <Checkbox.Group
            label="Kinds"
            value={[...kinds]}
            error={problemOf('kinds')}
            onChange={(chosen) => setKinds(allKinds.filter((kind) => chosen.includes(kind)))}
          >
            <Group gap="md" mt={8}>
              {allKinds.map((kind) => (
                <Checkbox key={kind} value={kind} label={definitions[kind].label.many} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        <Events
          label="Map events"
          of={allEvents.filter((event) => !isOfOneKind(event))}
          chosen={events}
          onChange={setEvents}
        />
      </Stack>
      <FormFooter
        failure={
          saving.error && refused.length === 0 && `Could not save the webhook: ${saving.error.message}`
        }
      >
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {endpoint ? 'Save' : 'Add webhook'}
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}

type EventsProps = {
  label: string
  of: readonly WebhookEvent[]
  chosen: readonly WebhookEvent[]
  error?: string | null | undefined
  onChange(chosen: readonly WebhookEvent[]): void
}

function Events({ label, of, chosen, error, onChange }: EventsProps) {
  const others = chosen.filter((event) => !of.includes(event))
  return (
    <Checkbox.Group
      label={label}
      value={chosen.filter((event) => of.includes(event))}
      error={error}
      onChange={(own) => {
        const all = [...others, ...own]
        onChange(allEvents.filter((event) => all.includes(event)))
      }}
    >
      <Stack gap="xs" mt={8}>
        {of.map((event) => (
          <Checkbox
            key={event}
            value={event}
            label={webhookEvents[event].label}
            description={webhookEvents[event].help}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
