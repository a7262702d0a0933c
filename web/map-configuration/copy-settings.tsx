import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isAllowed } from '#domain/access/access.ts'
import type { Client } from '#domain/clients/client.schema.ts'
import type {
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { foldText } from '#domain/values/text.ts'
import { followChanges } from '#web/api/changes.ts'
import { clientListQuery } from '#web/api/clients.api.ts'
import { applyConfiguration } from '#web/api/map-configuration.api.ts'
import { mapConfigurationQuery } from '#web/api/maps.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import classes from './copy-settings.module.css'

/** What can be copied. Places differ from client to client: center, zoom and bounds stay as they are. */
const parts = {
  baseMaps: { label: 'Base maps', fields: ['mapTypes', 'defaultMapType'] },
  privacy: { label: 'Privacy', fields: ['showPersonalData'] },
  metadata: { label: 'Public metadata', fields: ['publicMetadata'] },
  drawing: { label: 'Drawing tools', fields: ['drawingTools'] },
} as const satisfies Record<string, { label: string; fields: readonly (keyof MapConfiguration)[] }>
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]

export type Outcome = { client: Client; text: string; isFailure: boolean }

/** Copies the applied settings of a map to the maps of other clients: each by itself, and as a version of its own. */
export function CopySettings({ source }: { source: MapConfigurationAnswer }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={16} aria-hidden="true" />}
        onClick={open}
      >
        Copy to others
      </Button>
      <Dialog title="Copy settings to other clients" isOpen={isOpen} onClose={close}>
        {() => <CopyForm source={source} onClose={close} />}
      </Dialog>
    </>
  )
}

function CopyForm({ source, onClose }: { source: MapConfigurationAnswer; onClose(): void }) {
  const [chosenParts, setChosenParts] = useState<string[]>(['baseMaps', 'drawing'])
  const [chosen, setChosen] = useState<readonly Client[]>([])
  const copying = useCopying(source)
  const fields = partNames
    .filter((name) => chosenParts.includes(name))
    .flatMap((name): readonly (keyof MapConfiguration)[] => parts[name].fields)
  if (copying.data)
    return (
      <Stack gap="md">
        <Outcomes outcomes={copying.data} section="configuration" search={{ versions: 'open' }} />
        <Text c="dimmed" size="sm">
          Each client keeps its earlier settings as versions: follow its name to restore one.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap="md">
      <Checkbox.Group label="What to copy" value={chosenParts} onChange={setChosenParts}>
        <Group gap="md" mt={8}>
          {partNames.map((name) => (
            <Checkbox key={name} value={name} label={parts[name].label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Text c="dimmed" size="sm">
        The applied settings of this client (version {source.version}) are copied. Center, zoom and bounds of
        the others stay.
      </Text>
      <Targets ownId={source.mapId} chosen={chosen} onChoose={setChosen} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={copying.isPending}
          disabled={fields.length === 0 || chosen.length === 0}
          onClick={() => copying.mutate({ targets: chosen, fields })}
        >
          {chosen.length > 0
            ? `Copy to ${chosen.length} ${chosen.length === 1 ? 'client' : 'clients'}`
            : 'Copy'}
        </Button>
      </Group>
    </Stack>
  )
}

type OutcomesProps = {
  outcomes: readonly Outcome[]
  /** Where the names lead. */
  section: string
  search?: Readonly<Record<string, string>>
}

export function Outcomes({ outcomes, section, search = {} }: OutcomesProps) {
  return (
    <ul className={classes.outcomes} aria-label="What came of it">
      {outcomes.map(({ client, text, isFailure }) => (
        <li key={client.id} data-failed={isFailure || undefined}>
          <Link to="/config/map/$mapId/$section" params={{ mapId: client.id, section }} search={search}>
            {client.name}
          </Link>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

type TargetsProps = { ownId: string; chosen: readonly Client[]; onChoose(clients: readonly Client[]): void }

/** The other clients whose settings the person may change. */
export function Targets({ ownId, chosen, onChoose }: TargetsProps) {
  const session = useSession()
  const [sought, setSought] = useState('')
  const clients = useInfiniteQuery(clientListQuery({ text: '', state: 'open', sort: 'name', totals: false }))
  if (clients.isError && !clients.data)
    return (
      <ErrorState
        title="The clients could not be loaded."
        error={clients.error}
        onRetry={() => clients.refetch()}
      />
    )
  const roles = session.status === 'authenticated' ? session.person.roles : null
  const others = (clients.data?.pages.flatMap((page) => page.items) ?? []).filter(
    ({ id }) => id !== ownId && isAllowed(roles, 'manager', id),
  )
  const shown = others.filter(({ name, location }) =>
    foldText(`${name} ${location}`).includes(foldText(sought)),
  )
  if (clients.data && others.length === 0)
    return <p className={classes.none}>There is no other client whose settings you may change.</p>
  const areAllChosen = shown.length > 0 && shown.every(({ id }) => chosen.some((one) => one.id === id))
  return (
    <fieldset className={classes.targets}>
      <legend>Clients</legend>
      <TextInput
        aria-label="Search the clients to copy to"
        placeholder="Search clients..."
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <Checkbox
        label={sought ? 'All that are found' : 'All of them'}
        checked={areAllChosen}
        indeterminate={!areAllChosen && chosen.length > 0}
        onChange={() =>
          onChoose([
            ...chosen.filter(({ id }) => !shown.some((one) => one.id === id)),
            ...(areAllChosen ? [] : shown),
          ])
        }
      />
      <ul className={classes.list}>
        {shown.map((client) => {
          const isChosen = chosen.some(({ id }) => id === client.id)
          return (
            <li key={client.id}>
              <Checkbox
                label={client.name}
                checked={isChosen}
                onChange={() =>
                  onChoose(isChosen ? chosen.filter(({ id }) => id !== client.id) : [...chosen, client])
                }
              />
            </li>
          )
        })}
      </ul>
      <LoadMore
        hasMore={clients.hasNextPage}
        isLoading={clients.isFetchingNextPage}
        error={null}
        onMore={() => void clients.fetchNextPage()}
      />
    </fieldset>
  )
}

type Copy = { targets: readonly Client[]; fields: readonly (keyof MapConfiguration)[] }

/** One after the other, each compared with what it is now: what fails for one changes nothing of it, nor of others. */
function useCopying({ configuration: source }: MapConfigurationAnswer) {
  const queryClient = useQueryClient()
  async function copyTo(client: Client, fields: Copy['fields']): Promise<Outcome> {
    try {
      const present = await queryClient.fetchQuery({ ...mapConfigurationQuery(client.id), staleTime: 0 })
      const copied = Object.fromEntries(fields.map((field) => [field, source[field]]))
      const wanted = { ...present.configuration, ...copied }
      const answer = await applyConfiguration(client.id, present.version, wanted)
      if (answer.version === present.version)
        return { client, text: 'has these settings already', isFailure: false }
      queryClient.setQueryData(mapConfigurationQuery(client.id).queryKey, answer)
      const { version } = answer
      followChanges(queryClient, [{ mapId: client.id, part: 'configuration', id: null, version }])
      return { client, text: `settings applied, version ${version}`, isFailure: false }
    } catch (error) {
      return { client, text: `settings not changed: ${(error as Error).message}`, isFailure: true }
    }
  }
  return useMutation({
    mutationFn: async ({ targets, fields }: Copy) => {
      const outcomes: Outcome[] = []
      for (const client of targets) outcomes.push(await copyTo(client, fields))
      return outcomes
    },
  })
}
