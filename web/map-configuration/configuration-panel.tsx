import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client } from '#domain/clients/client.schema.ts'
import type {
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { baseMapLabels, mainViewBaseMaps } from '#domain/map-configuration/map-constants.ts'
import { formatList } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { RequestError } from '#web/api/http.ts'
import { applyConfiguration, configurationVersionsQuery } from '#web/api/map-configuration.api.ts'
import { mapConfigurationQuery } from '#web/api/maps.api.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { ConflictField } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { ConfigurationFile } from './configuration-file.tsx'
import classes from './configuration-panel.module.css'
import { fieldLabels, textOf } from './configuration-text.ts'
import { CopyToOthers } from './copy-to-others.tsx'
import type { ConfigurationPanelProps, FieldsProps } from './field-group.tsx'
import { BoundsFields, PositionFields } from './position-fields.tsx'
import { BaseMapFields, PublicFields } from './public-fields.tsx'
import { useApply } from './use-apply.ts'
import type { ConfigurationDraft } from './use-configuration-draft.ts'
import { VersionList } from './version-list.tsx'

/** Section 2 of the specification, 'Map Configuration panel'. */
export function ConfigurationPanel(props: ConfigurationPanelProps) {
  const { draft, hasParcels } = props
  const opensAt = hasParcels ? 'the first parcel' : 'the whole country'
  const [pending, setPending] = useState<{ version: number } | null>(null)
  const { applying, restoring, removing } = useApply(draft.mapId, (answer) => draft.startFrom(answer))
  const refusal = applying.error instanceof RequestError ? applying.error : null
  const fields: FieldsProps = {
    ...props,
    problemOf: (path) =>
      draft.problems.get(path) ?? refusal?.fields.find(({ name }) => name === path)?.message,
  }

  const isIdle = draft.changes.length === 0 && draft.current.isApplied && !refusal

  function restore(version: number) {
    restoring.mutate({ currentVersion: draft.current.version, version })
  }

  function submit() {
    const { configuration, base, conflicts, isReadOnly } = draft
    if (configuration && !isReadOnly && conflicts.length === 0)
      applying.mutate({ version: base.version, configuration })
  }

  return (
    <CheckedForm
      className={classes.form}
      refusal={applying.error}
      onSubmit={submit}
      aria-label="Map Configuration"
    >
      <div className={classes.fields}>
        <header className={classes.header}>
          <div className={classes.headerActions}>
            {draft.current.isApplied && !draft.isReadOnly && <CopySettings source={draft.current} />}
            <ConfigurationFile draft={draft} />
          </div>
        </header>
        {!draft.current.isApplied && (
          <p className={classes.note}>
            No settings applied: the map opens on {opensAt}. These are suggestions
            {draft.land ? ' based on the land' : ''}. Nothing changes until you apply them.
          </p>
        )}
        {draft.isReadOnly && (
          <p className={classes.note}>Only managers of this client can change its settings.</p>
        )}
        <fieldset className={classes.all} disabled={draft.isReadOnly}>
          <PositionFields {...fields} />
          <BaseMapFields {...fields} />
          <BoundsFields {...fields} />
          <PublicFields {...fields} />
        </fieldset>
        <VersionList
          draft={draft}
          isOpen={props.areVersionsOpen}
          onToggle={props.onShowVersions}
          isRestoring={restoring.isPending}
          onRestore={(version) => (draft.changes.length > 0 ? setPending({ version }) : restore(version))}
        />
        <RemoveConfiguration
          draft={draft}
          opensAt={opensAt}
          isPending={removing.isPending}
          onRemove={(version) => removing.mutate({ version })}
        />
      </div>
      {!draft.isReadOnly && (
        <FormFooter
          isIdle={isIdle}
          failure={
            refusal &&
            refusal.status !== 412 &&
            refusal.fields.length === 0 &&
            `Could not apply the settings. ${refusal.message}`
          }
          status={<ChangeSummary draft={draft} />}
          questions={draft.conflicts.map((field) => (
            <ConflictField
              key={field}
              label={fieldLabels[field]}
              who={<WhoAndWhen mapId={draft.mapId} />}
              theirs={textOf(field, draft.base.configuration)}
              onSettle={(side) => draft.settle(field, side)}
            />
          ))}
        >
          <Button
            variant="default"
            disabled={draft.changes.length === 0}
            onClick={() => {
              applying.reset()
              draft.revert()
            }}
          >
            Revert
          </Button>
          <Button
            type="submit"
            loading={applying.isPending}
            disabled={!draft.configuration || (draft.changes.length === 0 && draft.current.isApplied)}
          >
            Apply Settings
          </Button>
        </FormFooter>
      )}
      <Confirmation
        title="Discard unsaved settings?"
        isOpen={pending !== null}
        stay="Keep my changes"
        onStay={() => setPending(null)}
        go={`Restore version ${pending?.version}`}
        onGo={() => {
          setPending(null)
          if (pending) restore(pending.version)
        }}
        isDestructive
      >
        {() => (
          <Text size="md">
            Restoring version {pending?.version} discards your changes:{' '}
            {formatList(draft.changes.map(({ field }) => fieldLabels[field]))}.
          </Text>
        )}
      </Confirmation>
    </CheckedForm>
  )
}

function ChangeSummary({ draft }: { draft: ConfigurationDraft }) {
  const { changes, problems, isUpdated, current } = draft
  if (changes.length === 0) return current.isApplied ? 'No unsaved changes' : 'Suggested, not applied yet'
  return (
    <>
      {isUpdated && 'Someone else changed these settings. Your changes are still here. '}
      <b>Unsaved: {changes.map(({ field }) => fieldLabels[field]).join(', ')}</b>
      {problems.size > 0 && ' · fix the errors to apply'}
    </>
  )
}

function WhoAndWhen({ mapId }: { mapId: string }) {
  const newest = useInfiniteQuery(configurationVersionsQuery(mapId)).data?.pages[0]?.items[0]
  return newest ? `${newest.appliedBy ?? 'The system'} (${relativeTime(newest.appliedAt)})` : 'Someone else'
}

type RemoveConfigurationProps = {
  draft: ConfigurationDraft
  opensAt: string
  isPending: boolean
  onRemove(version: number): void
}

function RemoveConfiguration({ draft, opensAt, isPending, onRemove }: RemoveConfigurationProps) {
  // The version that the user confirms: a later one is not removed.
  const [pending, setPending] = useState<number | null>(null)
  const { current, changes, isReadOnly } = draft
  if (isReadOnly || !current.isApplied) return null
  const offered = formatList(mainViewBaseMaps.map((baseMap) => baseMapLabels[baseMap]))
  return (
    <div className={classes.removal}>
      <SmallButton loading={isPending} onClick={() => setPending(current.version)}>
        Reset to defaults
      </SmallButton>
      <Confirmation
        title="Reset settings to defaults?"
        isOpen={pending !== null}
        stay="Cancel"
        onStay={() => setPending(null)}
        go="Reset"
        onGo={() => {
          setPending(null)
          if (pending !== null) onRemove(pending)
        }}
      >
        {() => (
          <>
            <Text size="md">
              The map will open on {opensAt}, offer {offered}, have no bounds, and hide personal data from the
              public. You can restore version {pending} later.
            </Text>
            {changes.length > 0 && (
              <Text size="md" mt="sm">
                Your unapplied changes will be discarded.
              </Text>
            )}
          </>
        )}
      </Confirmation>
    </div>
  )
}

/** Center, zoom and bounds are not copied, as they differ between clients. */
const parts = {
  baseMaps: { label: 'Base maps', fields: ['mapTypes', 'defaultMapType'] },
  privacy: { label: 'Privacy', fields: ['showPersonalData'] },
  metadata: { label: 'Public metadata', fields: ['publicMetadata'] },
  drawing: { label: 'Drawing tools', fields: ['drawingTools'] },
} as const satisfies Record<string, { label: string; fields: readonly (keyof MapConfiguration)[] }>
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]

function CopySettings({ source }: { source: MapConfigurationAnswer }) {
  const client = useQueryClient()
  const [chosenParts, setChosenParts] = useState<string[]>(['baseMaps', 'drawing'])
  const fields = partNames
    .filter((name) => chosenParts.includes(name))
    .flatMap((name): readonly (keyof MapConfiguration)[] => parts[name].fields)

  async function copyTo({ id }: Client): Promise<string> {
    const current = await client.fetchQuery({ ...mapConfigurationQuery(id), staleTime: 0 })
    const copied = Object.fromEntries(fields.map((field) => [field, source.configuration[field]]))
    const answer = await applyConfiguration(id, current.version, { ...current.configuration, ...copied })
    const { version } = answer
    if (version === current.version) return 'Already has these settings'
    client.setQueryData(mapConfigurationQuery(id).queryKey, answer)
    followChanges(client, [{ mapId: id, part: 'configuration', id: null, version }])
    return `Settings applied, version ${version}`
  }
  return (
    <CopyToOthers
      what="settings"
      ownId={source.mapId}
      isReady={fields.length > 0}
      copyTo={copyTo}
      outcome={{
        section: 'configuration',
        search: { versions: 'open' },
        note: 'To restore earlier settings, open the client and choose a version.',
      }}
    >
      <Checkbox.Group label="What to copy" value={chosenParts} onChange={setChosenParts}>
        <Group gap="md" mt={8}>
          {partNames.map((name) => (
            <Checkbox key={name} value={name} label={parts[name].label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Text c="dimmed" size="sm">
        Copies the applied settings of this client (version {source.version}). Center, zoom, and bounds are
        not copied.
      </Text>
    </CopyToOthers>
  )
}
