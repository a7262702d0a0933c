import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Fields, valueAt } from '#domain/definition/definition.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import type { FarPlace } from '#domain/features/shape-check.schema.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { placeText } from '#domain/geometry/read-place.ts'
import { capitalized, counted } from '#domain/values/wording.ts'
import { RequestError } from '#web/api/http.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { useStaffMark } from '#web/features/metadata.tsx'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { ConflictField } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { AreaOfShape } from './area-of-shape.tsx'
import { UpdatedFields, WhoAndWhen } from './changed-meanwhile.tsx'
import { PlanInWords } from './maintenance/plan-in-words.tsx'
import { PlaceField } from './place-field.tsx'
import {
  asSaved,
  changesOf,
  countText,
  type Draft,
  type FormField,
  formSections,
  isNew,
  labelAt,
  problemsOf,
  settle,
  titleOf,
  withValue,
} from './record-draft.ts'
import { RecordField } from './record-field.tsx'
import classes from './record-form.module.css'
import type { Place } from './use-place.tsx'
import { FarPlaceError, type Sending } from './use-record-changes.ts'

type Saving = {
  mutate(sent: Sending): void
  reset(): void
  isPending: boolean
  error: Error | null
  variables: Sending | undefined
}

type RecordFormProps = {
  draft: Draft
  place: Place
  hasFocus: boolean
  saving: Saving
  /** By another user. */
  isRemoved?: boolean
  /** Of a new record. */
  files?: ReactNode
  onChange(draft: Draft): void
  onCancel(): void
  onClose(): void
}

export function RecordForm(props: RecordFormProps) {
  const { draft, place, hasFocus, saving, isRemoved = false, files, onChange, onCancel, onClose } = props
  const { base, values, conflicts, updated } = draft
  const formRef = useRef<HTMLFormElement>(null)
  const [isChecked, setIsChecked] = useState(false)
  const markOf = useStaffMark(base.mapId)
  const changed = changesOf(draft)
  const problems = problemsOf(draft)
  const fields: Fields = fieldsOf(base.kind, draft.customFields)
  const sent = saving.variables?.draft
  const isPlaceAsSent =
    sent?.geometry === draft.geometry && [null, sent.typedPlace].includes(draft.typedPlace)
  // The question is obsolete if the place has changed.
  const error = saving.error instanceof FarPlaceError && !isPlaceAsSent ? null : saving.error
  const refused = error instanceof RequestError ? error.fields : []
  const sections = formSections(draft)
  const shown = new Set([
    'geometry',
    ...sections.flatMap((section) => section.fields.map(({ path }) => path)),
  ])
  const isEmpty = changed.length === 0 && !isNew(base)
  const farPlace = error instanceof FarPlaceError ? error.place : null
  const isGone = isRemoved || (error instanceof RequestError && error.status === 404)

  function problemOf(path: string): string | undefined {
    if (isChecked && problems.has(path)) return problems.get(path)
    const message = refused.find(({ name }) => name === path)?.message
    return message && capitalized(message)
  }
  function save(how: { mustRestore?: boolean; isFarConfirmed?: boolean } = {}) {
    if (saving.isPending || isEmpty) return
    setIsChecked(true)
    if (problems.size === 0 && conflicts.length === 0) saving.mutate({ draft, ...how })
  }
  function correctPlace({ lat, lng }: LatLng) {
    saving.reset()
    onChange({ ...draft, geometry: { type: 'Point', coordinates: [lng, lat] }, typedPlace: null })
  }

  useEffect(() => {
    if (!hasFocus) return
    // The panel grows when a place was chosen, and its scroll position no longer suits.
    const panel = formRef.current?.closest('section')
    panel?.scrollTo({ top: 0 })
    const field = formRef.current?.querySelector<HTMLElement>('input, textarea, select')
    field?.focus({ preventScroll: panel !== null })
  }, [hasFocus])

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
    const target = event.target as HTMLElement
    const isEscape = event.key === 'Escape' && formRef.current?.contains(target)
    // Tools on the map handle the key first.
    if (event.defaultPrevented || (!isSave && !isEscape)) return
    // Otherwise the browser saves the page, and the page closes the details.
    event.preventDefault()
    if (isSave) formRef.current?.requestSubmit()
    else if (target.getAttribute('aria-expanded') !== 'true') onClose()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  const asking = (path: string, theirs: ReactNode) =>
    conflicts.includes(path) && (
      <ConflictField
        label={labelAt(draft, path)}
        who={<WhoAndWhen base={base} path={path} />}
        theirs={theirs}
        onSettle={(whose) => onChange(settle(draft, path, whose))}
      />
    )
  const isChanged = (path: string) => changed.some((one) => one.path === path) || undefined
  const controls = (own: readonly FormField[]) =>
    own.map(({ path, field }) => (
      <div
        key={path}
        className={classes.field}
        data-wide={field.value.type === 'prose' || field.column === 'name' || undefined}
        data-changed={isChanged(path)}
      >
        <RecordField
          path={path}
          field={field}
          base={base}
          text={values[path] ?? ''}
          mark={markOf(fields, path)}
          problem={problemOf(path)}
          onChange={(text) => onChange(withValue(draft, path, text))}
        />
        {base.kind === 'parcel' && path === 'area' && (
          <AreaOfShape
            draft={draft}
            onUse={() => onChange({ ...draft, values: { ...values, [path]: '' } })}
          />
        )}
        {base.kind === 'asset' && path === 'maintenancePlan.firstDue' && <Plan draft={draft} />}
        {asking(
          path,
          showValue(field, valueAt(base, path), { name: base.referenceNames[path] ?? null, onSelect: null }),
        )}
      </div>
    ))
  const fieldsUnder = (heading: string | null) =>
    sections.filter((section) => section.heading === heading).flatMap((section) => section.fields)
  const elsewhere = refused.filter(({ name }) => !shown.has(name))

  return (
    <CheckedForm
      ref={formRef}
      className={classes.form}
      aria-label={isNew(base) ? titleOf(draft) : `Edit ${titleOf(draft)}`}
      refusal={saving.error}
      onSubmit={save}
    >
      <fieldset className={classes.all} disabled={saving.isPending}>
        {updated.length > 0 && (
          <UpdatedFields draft={draft} onSeen={() => onChange({ ...draft, updated: [] })} />
        )}
        <div className={classes.fields}>{controls(fieldsUnder(null))}</div>
        <Section heading={placeHeading}>
          <div className={classes.field} data-changed={isChanged('geometry')}>
            <PlaceField draft={draft} place={place} problem={problemOf('geometry')} onChange={onChange} />
            {asking('geometry', base.shape === 'point' ? 'a different location' : 'a different shape')}
          </div>
          {controls(fieldsUnder(placeHeading))}
        </Section>
        {sections.map(
          ({ heading, fields: own }) =>
            heading !== null &&
            heading !== placeHeading && (
              <Section key={heading} heading={heading}>
                {controls(own)}
              </Section>
            ),
        )}
        {files && <Section heading="Photos and files">{files}</Section>}
      </fieldset>
      <FormFooter
        failure={
          (error || isRemoved) &&
          !saving.isPending &&
          (refused.length === 0 || elsewhere.length > 0) && (
            <>
              {isGone
                ? 'Someone else removed this record. Your changes are still here.'
                : `Not saved: ${error?.message}`}
              {farPlace && (
                <FarPlaceChoice
                  place={farPlace}
                  onConfirm={() => save({ isFarConfirmed: true })}
                  onCorrect={correctPlace}
                />
              )}
              {isGone && (
                <SmallButton size="compact-sm" onClick={() => save({ mustRestore: true })}>
                  Restore and save
                </SmallButton>
              )}
            </>
          )
        }
        status={
          isChecked && problems.size > 0
            ? `${counted(problems.size, 'field')} to correct`
            : isNew(base)
              ? 'Not added yet'
              : changed.length === 0
                ? 'No changes'
                : countText(changed.length)
        }
      >
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={saving.isPending}
          data-disabled={isEmpty || undefined}
          aria-disabled={isEmpty}
          aria-keyshortcuts="Control+S Meta+S"
        >
          {isNew(base) ? 'Add' : 'Save'}
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}

function Plan({ draft }: { draft: Draft }) {
  const saved = asSaved(draft)
  if (saved.kind !== 'asset') return null
  const { maintenancePlan, installDate } = saved
  return (
    <PlanInWords
      className={classes.measured}
      plan={maintenancePlan ?? {}}
      installDate={installDate ?? null}
    />
  )
}

const placeHeading = 'Location'

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{heading}</legend>
      <div className={classes.fields}>{children}</div>
    </fieldset>
  )
}

type FarPlaceChoiceProps = { place: FarPlace; onConfirm(): void; onCorrect(place: LatLng): void }

function FarPlaceChoice({ place: { instead }, onConfirm, onCorrect }: FarPlaceChoiceProps) {
  return (
    <>
      {instead && (
        <SmallButton size="compact-sm" onClick={() => onCorrect(instead)}>
          Use {placeText([instead.lng, instead.lat])}
        </SmallButton>
      )}
      <SmallButton size="compact-sm" onClick={onConfirm}>
        Save this location
      </SmallButton>
    </>
  )
}
