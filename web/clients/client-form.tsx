import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type NewClient, newClient } from '#domain/clients/client.schema.ts'
import { RequestError } from '#web/api/http.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

type ClientFormProps = {
  initial: NewClient
  submitLabel: string
  isPending: boolean
  error: Error | null
  onSubmit(client: NewClient): void
  onCancel(): void
}

export function ClientForm({ initial, submitLabel, isPending, error, onSubmit, onCancel }: ClientFormProps) {
  const [name, setName] = useState(initial.name)
  const [location, setLocation] = useState(initial.location)
  const [isChecked, setIsChecked] = useState(false)
  const parsed = newClient.safeParse({ name: name.trim(), location: location.trim() })
  const isTyped = name !== initial.name || location !== initial.location
  useUnsavedWork(isTyped ? `Client: ${name || location}` : null, false, onCancel)
  const refused = error instanceof RequestError ? error.fields : []
  function problemOf(field: keyof NewClient): string | undefined {
    const issue = isChecked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined
    return issue?.message ?? refused.find((one) => one.name === field)?.message
  }
  function submit() {
    setIsChecked(true)
    if (parsed.data) onSubmit(parsed.data)
  }
  return (
    <CheckedForm refusal={error} onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          data-autofocus
          withAsterisk
          value={name}
          error={problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Location"
          placeholder="Town, state"
          value={location}
          error={problemOf('location')}
          onChange={(event) => setLocation(event.currentTarget.value)}
        />
      </Stack>
      <FormFooter failure={refused.length === 0 && error?.message}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}
