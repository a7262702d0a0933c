import { useQuery } from '@tanstack/react-query'
import type { Field, Fields } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { nameInWords } from '#domain/values/text.ts'
import { mapConfigurationQuery } from '#web/api/maps.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { Fact, FactList } from '#web/ui/facts.tsx'
import classes from './metadata.module.css'

type Subject = Pick<FeatureDetail, 'mapId' | 'metadata'>

function usePublicView(mapId: string) {
  const isStaff = useMay('staff', mapId)
  const { data } = useQuery({ ...mapConfigurationQuery(mapId), enabled: isStaff })
  return isStaff && data ? data.configuration : null
}

export function MetadataFacts({ feature: { mapId, metadata } }: { feature: Subject }) {
  const view = usePublicView(mapId)
  return <Values of={metadata.filter(({ name }) => !view || view.publicMetadata.includes(name))} />
}

export function HiddenMetadata({ feature: { mapId, metadata } }: { feature: Subject }) {
  const view = usePublicView(mapId)
  const hidden = metadata.filter(
    ({ name, value }) => view && !view.publicMetadata.includes(name) && isVisible(value),
  )
  if (hidden.length === 0) return null
  return (
    <section className={classes.hidden} aria-label="Staff only">
      <h3>Staff only</h3>
      <p>Not visible to the public.</p>
      <FactList>
        <Values of={hidden} />
      </FactList>
    </section>
  )
}

export function useStaffMark(mapId: string): (fields: Fields, path: string) => string | undefined {
  const view = usePublicView(mapId)
  return (fields, path) => {
    if (!view) return undefined
    const isHidden = (field: Field) => field.isForStaff || (field.isPersonal && !view.showPersonalData)
    return fieldsAlong(fields, path).some(isHidden) ? 'staff only' : undefined
  }
}

function fieldsAlong(fields: Fields, path: string): Field[] {
  const [key = '', ...parts] = path.split('.')
  const field = fields[key]
  if (!field) return []
  return field.value.type === 'group' ? [field, ...fieldsAlong(field.value.fields, parts.join('.'))] : [field]
}

const isVisible = (value: unknown) => value !== null && value !== ''

/** Values are text, but 'true' and 'false' are shown as yes and no. */
function Values({ of }: { of: Subject['metadata'] }) {
  return of
    .filter(({ value }) => isVisible(value))
    .map(({ name, value }) => (
      <Fact key={name} label={nameInWords(name)}>
        {typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)}
      </Fact>
    ))
}
