import { Button, Group, Radio, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ConfigurationField,
  configurationChanges,
} from '#domain/map-configuration/configuration-changes.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { configurationVersionsQuery } from '#web/api/map-configuration.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { relativeTime } from '#web/ui/relative-time.ts'
import { mergeEdits, type Side } from '#web/ui/unsaved/compare-edits.ts'
import { fieldLabels, valueText } from './configuration-text.ts'
import classes from './conflict-dialog.module.css'
import type { ConfigurationDraft } from './use-configuration-draft.ts'

type Choices = Partial<Record<ConfigurationField, Side>>

type ConflictDialogProps = {
  draft: ConfigurationDraft
  mine: MapConfiguration
  isOpen: boolean
  isPending: boolean
  onClose(): void
  onChoose(configuration: MapConfiguration, mustApply: boolean): void
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { isOpen, onClose } = props
  const [chosen, setChosen] = useState<Choices>({})
  return (
    <Dialog title="The settings have changed meanwhile" size="lg" isOpen={isOpen} onClose={onClose}>
      {() => <Comparison {...props} chosen={chosen} onChosen={setChosen} />}
    </Dialog>
  )
}

type ComparisonProps = ConflictDialogProps & { chosen: Choices; onChosen(choices: Choices): void }

function Comparison(props: ComparisonProps) {
  const { draft, mine, isPending, chosen, onChosen, onClose, onChoose } = props
  const theirs = draft.current.configuration
  const differences = configurationChanges(theirs, mine).map(({ field }) => field)
  const edited = new Set(draft.changes.map(({ field }) => field))
  const choiceOf = (field: ConfigurationField) => chosen[field] ?? (edited.has(field) ? 'mine' : 'theirs')
  const merged = mergeEdits(differences, { mine, theirs }, choiceOf)
  const mustApply = configurationChanges(theirs, merged).length > 0

  return (
    <>
      <WhoWasQuicker mapId={draft.mapId} />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Yours</th>
            <th scope="col">{draft.current.isApplied ? 'Applied meanwhile' : 'Proposed'}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((field) => (
            <tr key={field}>
              <th scope="row">{fieldLabels[field]}</th>
              {(['mine', 'theirs'] as const).map((side) => (
                <td key={side}>
                  <Radio
                    name={field}
                    value={side}
                    checked={choiceOf(field) === side}
                    label={valueText(field, side === 'mine' ? mine[field] : theirs[field])}
                    onChange={() => onChosen({ ...chosen, [field]: side })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isPending} onClick={() => onChoose(merged, mustApply)}>
          {mustApply
            ? 'Apply what is chosen'
            : `Keep ${draft.current.isApplied ? 'what is' : 'nothing'} applied`}
        </Button>
      </Group>
    </>
  )
}

function WhoWasQuicker({ mapId }: { mapId: string }) {
  const { data } = useInfiniteQuery(configurationVersionsQuery(mapId))
  const newest = data?.pages[0]?.items[0]
  return (
    <Text size="md">
      {newest &&
        `${newest.appliedBy ?? 'Somebody'} ${
          newest.configuration ? `applied version ${newest.version}` : 'took the applied settings away'
        } ${relativeTime(newest.appliedAt)}. `}
      Choose for each setting in which you differ.
    </Text>
  )
}
