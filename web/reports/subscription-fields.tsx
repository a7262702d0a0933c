import { Checkbox, NativeSelect } from '@mantine/core'
import { type IncidentType, incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'
import {
  type Frequency,
  frequencyLabels,
  type News,
  newsLabels,
  radiiMeters,
} from '#domain/subscriptions/subscriptions.ts'
import classes from './own-report.module.css'

type FieldProps<Value> = { value: Value; disabled?: boolean; onChange(value: Value): void }

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export const FrequencyField = ({ onChange, ...props }: FieldProps<Frequency>) => (
  <NativeSelect
    label="How often"
    {...props}
    data={optionsOf(frequencyLabels)}
    onChange={(event) => onChange(event.currentTarget.value as Frequency)}
  />
)

export const NewsField = ({ onChange, ...props }: FieldProps<News>) => (
  <NativeSelect
    label="About"
    {...props}
    data={optionsOf(newsLabels)}
    onChange={(event) => onChange(event.currentTarget.value as News)}
  />
)

/** No types: all of them. */
export function TypesField({ value, disabled = false, onChange }: FieldProps<IncidentType[]>) {
  return (
    <fieldset className={classes.types}>
      <legend>Types (none selected: all)</legend>
      {incidentTypes.map((type) => (
        <Checkbox
          key={type}
          label={incidentTypeLabels[type]}
          disabled={disabled}
          checked={value.includes(type)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(incidentTypes.filter((one) => (one === type ? checked : value.includes(one))))
          }
        />
      ))}
    </fieldset>
  )
}

export const NoticesField = ({ value, disabled = false, onChange }: FieldProps<boolean>) => (
  <Checkbox
    label="Notices for this place"
    description="Messages of the association, such as closed roads. They are sent at once"
    disabled={disabled}
    checked={value}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)

/** With the current one, which may come from the API. */
export const radiusChoices = (current: number) =>
  [...new Set([...radiiMeters, current])]
    .toSorted((one, other) => one - other)
    .map((meters) => ({
      value: String(meters),
      label: `${meters.toLocaleString()} m (${Math.round(meters * 3.28084).toLocaleString()} ft)`,
    }))
