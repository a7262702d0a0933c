import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ClientChange, type NewClient, newClient } from '#domain/clients/client.schema.ts'
import { RequestError } from '#web/api/http.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { cityOf } from '#web/ui/time-zone.ts'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

/** A new client has no land yet, so its time zone is not asked for. */
export type ClientValues = NewClient & Pick<ClientChange, 'timeZone'>

type ClientFormProps = {
  initial: ClientValues
  submitLabel: string
  isPending: boolean
  error: Error | null
  onSubmit(client: ClientValues): void
  onCancel(): void
}

export function ClientForm({ initial, submitLabel, isPending, error, onSubmit, onCancel }: ClientFormProps) {
  const [name, setName] = useState(initial.name)
  const [location, setLocation] = useState(initial.location)
  const [timeZone, setTimeZone] = useState(initial.timeZone)
  const [isChecked, setIsChecked] = useState(false)
  const parsed = newClient.safeParse({ name: name.trim(), location: location.trim() })
  const isTyped = name !== initial.name || location !== initial.location || timeZone !== initial.timeZone
  useUnsavedWork(isTyped ? `Client: ${name || location}` : null, false, onCancel)
  const refused = error instanceof RequestError ? error.fields : []
  function problemOf(field: keyof ClientValues): string | undefined {
    const issue = isChecked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined
    return issue?.message ?? refused.find((one) => one.name === field)?.message
  }
  function submit() {
    setIsChecked(true)
    if (parsed.data) onSubmit(timeZone === undefined ? parsed.data : { ...parsed.data, timeZone })
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
        {timeZone !== undefined && (
          <NativeSelect
            label="Time zone"
            description="Of all dates on the map, for everyone."
            value={timeZone ?? ''}
            data={zoneChoices(timeZone)}
            error={problemOf('timeZone')}
            onChange={(event) => setTimeZone(event.currentTarget.value || null)}
          />
        )}
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

/** By continent, as in the names of the zones. The current one may be newer than this browser. */
function zoneChoices(current: string | null) {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), ...(current === null ? [] : [current])])
  const byRegion = Map.groupBy([...names].sort(), (name) => name.split('/')[0] ?? '')
  return [
    { value: '', label: 'Set by location' },
    ...[...byRegion].map(([group, zones]) => ({
      group,
      items: zones.map((value) => ({ value, label: cityOf(value) })),
    })),
  ]
}
