import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ClientChange, type Contact, type NewClient, newClient } from '#domain/clients/client.schema.ts'
import { RequestError } from '#web/api/http.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { cityOf } from '#web/ui/time-zone.ts'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import classes from './client-form.module.css'

/** A new client has no land yet, so its time zone is not asked for. */
export type ClientValues = NewClient & Pick<ClientChange, 'timeZone' | 'contact'>

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
  const [contact, setContact] = useState(() => textsOf(initial.contact))
  const [isChecked, setIsChecked] = useState(false)
  const parsed = newClient.safeParse({ name: name.trim(), location: location.trim() })
  const isContactTyped = contactFields.some(([key]) => contact[key] !== textsOf(initial.contact)[key])
  const isTyped =
    name !== initial.name || location !== initial.location || timeZone !== initial.timeZone || isContactTyped
  useUnsavedWork(isTyped ? `Client: ${name || location}` : null, false, onCancel)
  const refused = error instanceof RequestError ? error.fields : []
  function problemOf(field: keyof ClientValues): string | undefined {
    const issue = isChecked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined
    return issue?.message ?? refused.find((one) => one.name === field)?.message
  }
  function submit() {
    setIsChecked(true)
    if (parsed.data)
      onSubmit(
        timeZone === undefined ? parsed.data : { ...parsed.data, timeZone, contact: contactOf(contact) },
      )
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
        {initial.contact !== undefined && (
          <fieldset className={classes.contact}>
            <legend>Contact</legend>
            <p>Shown to visitors of the public map.</p>
            {contactFields.map(([key, label, placeholder, type]) => (
              <TextInput
                key={key}
                label={label}
                placeholder={placeholder}
                type={type}
                value={contact[key]}
                error={refused.find((one) => one.name === `contact.${key}`)?.message}
                onChange={({ currentTarget: { value } }) => setContact({ ...contact, [key]: value })}
              />
            ))}
          </fieldset>
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

const contactFields = [
  ['name', 'Contact name', 'Board or manager', 'text'],
  ['phone', 'Phone', '(928) 555-0142', 'tel'],
  ['email', 'Email', 'board@example.org', 'email'],
  ['website', 'Website', 'https://example.org', 'url'],
] as const

const textsOf = (contact: Contact | null | undefined): Record<keyof Contact, string> => ({
  name: contact?.name ?? '',
  phone: contact?.phone ?? '',
  email: contact?.email ?? '',
  website: contact?.website ?? '',
})

/** Null if every field is empty. */
function contactOf(texts: Record<keyof Contact, string>): Contact | null {
  const trimmed = (key: keyof Contact) => texts[key].trim() || null
  const contact = {
    name: trimmed('name'),
    phone: trimmed('phone'),
    email: trimmed('email'),
    website: trimmed('website'),
  }
  return Object.values(contact).some((value) => value !== null) ? contact : null
}
