import { Input, NativeSelect, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { capitalized } from '#domain/values/wording.ts'
import { choiceQuery } from '#web/api/features.api.ts'
import { DateInput } from '#web/ui/date-input.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { instantText, localText, otherTimeZone } from '#web/ui/time-zone.ts'
import classes from './record-form.module.css'

type RecordFieldProps = {
  path: string
  field: Field
  base: Pick<FeatureDetail, 'mapId' | 'referenceNames'>
  text: string
  mark: string | undefined
  problem: string | undefined
  placeholder?: string | undefined
  isInCell?: boolean
  onChange(text: string): void
}

function helpOf({ help, value }: Field): string | undefined {
  const zone = value.type === 'instant' ? otherTimeZone() : null
  return zone === null ? help : [help, `In ${zone}.`].filter(Boolean).join(' ')
}

export function RecordField(props: RecordFieldProps) {
  const { field, text, mark, problem, onChange } = props
  const { value, isRequired, initial } = field
  const nullMeans = props.placeholder ?? field.nullMeans
  const isPhone = useIsPhone()
  const shared = props.isInCell
    ? { size: 'xs', 'aria-label': field.label, error: problem !== undefined }
    : {
        size: isPhone ? 'lg' : 'sm',
        label: (
          <>
            {field.label} {mark !== undefined && <span className={classes.mark}>{mark}</span>}
          </>
        ),
        description: helpOf(field),
        error: problem,
        required: isRequired === true && initial === undefined,
        inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input')[],
      }
  const typed = {
    ...shared,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  switch (value.type) {
    case 'line':
      return <TextInput {...typed} autoComplete="off" placeholder={props.placeholder} />
    case 'prose':
      return <Textarea {...typed} placeholder={props.placeholder} rows={3} resize="vertical" />
    case 'number':
      return (
        <TextInput
          {...typed}
          inputMode="decimal"
          autoComplete="off"
          placeholder={nullMeans}
          leftSection={value.unit === 'dollars' ? '$' : undefined}
          rightSection={value.unit === 'acres' ? 'acres' : undefined}
          rightSectionWidth={value.unit === 'acres' ? 56 : undefined}
          rightSectionPointerEvents="none"
        />
      )
    case 'link':
      return (
        <TextInput
          {...typed}
          inputMode="url"
          autoComplete="off"
          placeholder={props.placeholder ?? 'https://'}
        />
      )
    case 'count':
      return <TextInput {...typed} inputMode="numeric" autoComplete="off" placeholder={props.placeholder} />
    case 'day':
      return <DateInput {...typed} type="date" onChange={onChange} />
    case 'instant':
      return <InstantInput {...typed} onChange={onChange} />
    case 'choice': {
      const choices = Object.entries(value.choices).map(([key, label]) => ({ value: key, label }))
      const unknown = isRequired ? [] : [{ value: '', label: nullMeans ?? 'Unknown' }]
      return <NativeSelect {...typed} data={[...unknown, ...choices]} />
    }
    case 'flag': {
      const { yes, no } = value.words ?? { yes: 'yes', no: 'no' }
      const { label, size, description, error } = shared
      return (
        <Input.Wrapper {...{ label, size, description, error }} labelElement="div">
          <SegmentedControl
            fullWidth
            size={size}
            aria-label={field.label}
            value={text}
            data={[
              // Null differs from 'no' unless the field has an initial value.
              ...(isRequired || initial !== undefined ? [] : [{ value: '', label: nullMeans ?? 'Unknown' }]),
              { value: 'false', label: capitalized(no) },
              { value: 'true', label: capitalized(yes) },
            ]}
            onChange={onChange}
          />
        </Input.Wrapper>
      )
    }
    case 'reference':
      return <ParcelSelect {...props} shared={shared} />
    case 'group':
    case 'list':
    case 'own':
      return null
  }
}

type InstantInputProps = { value: string; onChange(text: string): void }

/** In the time zone of the map. */
function InstantInput({ value, onChange, ...shared }: InstantInputProps) {
  // The control has no seconds.
  const [first] = useState(value)
  return (
    <DateInput
      {...shared}
      type="datetime-local"
      value={localText(value)}
      onChange={(text) => onChange(text === localText(first) ? first : instantText(text))}
    />
  )
}

type ParcelSelectProps = RecordFieldProps & { shared: object }

/** Searched on the server: a map may have many parcels. */
function ParcelSelect({ path, field, base, text, shared, onChange }: ParcelSelectProps) {
  const [search, setSearch] = useState('')
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const nameOf = (id: string) => names[id] ?? base.referenceNames[path] ?? 'No longer on the map'
  // The search box contains the name of the chosen parcel, which is no search.
  const isSearch = search !== '' && search !== field.nullMeans && (text === '' || search !== nameOf(text))
  const { data } = useQuery(choiceQuery(base.mapId, 'parcel', isSearch ? search : ''))
  const found = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name || 'Untitled' }))
  const chosen =
    text !== '' && !found.some(({ value }) => value === text) ? [{ value: text, label: nameOf(text) }] : []
  return (
    <Select
      {...shared}
      searchable
      allowDeselect={false}
      value={text}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      maxDropdownHeight={260}
      nothingFoundMessage="No matching parcels"
      data={[...(isSearch ? [] : [{ value: '', label: field.nullMeans ?? 'None' }]), ...chosen, ...found]}
      onChange={(id, option) => {
        if (id === null || option === null) return
        setNames({ ...names, [id]: option.label })
        onChange(id)
      }}
    />
  )
}
