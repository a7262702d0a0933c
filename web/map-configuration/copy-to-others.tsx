import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isAllowed } from '#domain/access/access.ts'
import type { Client } from '#domain/clients/client.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { clientListQuery } from '#web/api/clients.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { ChooseMany } from '#web/ui/choose-many.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './copy-to-others.module.css'

type CopyToOthersProps = {
  what: string
  ownId: string
  hasAny?: boolean
  children: ReactNode
  isReady?: boolean
  copyTo(client: Client): Promise<string>
  outcome: { section: string; search?: Readonly<Record<string, string>>; note?: ReactNode }
}

export function CopyToOthers({ hasAny = true, ...props }: CopyToOthersProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <SmallButton icon={IconCopy} disabled={!hasAny} onClick={open}>
        Copy to others
      </SmallButton>
      <Dialog title={`Copy ${props.what} to other clients`} isOpen={isOpen} onClose={close}>
        {() => <CopyForm {...props} onClose={close} />}
      </Dialog>
    </>
  )
}

type CopyFormProps = Omit<CopyToOthersProps, 'hasAny'> & { onClose(): void }

function CopyForm(props: CopyFormProps) {
  const { what, ownId, children, isReady = true, copyTo, outcome, onClose } = props
  const [chosen, setChosen] = useState<readonly Client[]>([])
  const copying = useCopying(what, copyTo)
  if (copying.data)
    return (
      <Stack gap="md">
        <ul className={classes.outcomes} aria-label="Results">
          {copying.data.map(({ client, text, isFailure }) => (
            <li key={client.id} data-failed={isFailure || undefined}>
              <Link
                to="/config/map/$mapId/$section"
                params={{ mapId: client.id, section: outcome.section }}
                search={outcome.search ?? {}}
              >
                {client.name}
              </Link>
              <span>{text}</span>
            </li>
          ))}
        </ul>
        {outcome.note && (
          <Text c="dimmed" size="sm">
            {outcome.note}
          </Text>
        )}
        <FormFooter>
          <Button onClick={onClose}>Close</Button>
        </FormFooter>
      </Stack>
    )
  return (
    <Stack gap="md">
      {children}
      <Targets ownId={ownId} chosen={chosen} onChoose={setChosen} />
      <FormFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={copying.isPending}
          disabled={!isReady || chosen.length === 0}
          onClick={() => copying.mutate(chosen)}
        >
          {chosen.length > 0 ? `Copy to ${counted(chosen.length, 'client')}` : 'Copy'}
        </Button>
      </FormFooter>
    </Stack>
  )
}

/** One after another: a failure affects no other client. */
function useCopying(what: string, copyTo: CopyToOthersProps['copyTo']) {
  async function tryFor(client: Client) {
    try {
      return { client, text: await copyTo(client), isFailure: false }
    } catch (error) {
      return { client, text: `Could not copy ${what}: ${(error as Error).message}`, isFailure: true }
    }
  }
  return useMutation({
    mutationFn: async (targets: readonly Client[]) => {
      const outcomes: Awaited<ReturnType<typeof tryFor>>[] = []
      for (const client of targets) outcomes.push(await tryFor(client))
      return outcomes
    },
  })
}

type TargetsProps = { ownId: string; chosen: readonly Client[]; onChoose(clients: readonly Client[]): void }

function Targets({ ownId, chosen, onChoose }: TargetsProps) {
  const session = useSession()
  const [text, setText] = useState<string>()
  const query = { text: text ?? '', state: 'open', sort: 'name', totals: false } as const
  const clients = useInfiniteQuery(clientListQuery(query))
  const failure = loadFailure(clients, 'Could not load the clients.')
  if (failure) return failure
  const roles = session.status === 'authenticated' ? session.person.roles : null
  const others = (clients.data?.pages.flatMap((page) => page.items) ?? []).filter(
    ({ id }) => id !== ownId && isAllowed(roles, 'manager', id),
  )
  if (clients.isSuccess && !clients.isPlaceholderData && text === undefined && others.length === 0)
    return <p className={classes.none}>You cannot change the settings of any other client.</p>
  return (
    <ChooseMany
      label="Clients"
      searchLabel="Search clients"
      placeholder="Search clients..."
      text={text}
      onSearch={setText}
      isSearching={clients.isPlaceholderData || clients.isPending}
      options={others.map(({ id, name }) => ({ id, label: name }))}
      chosen={chosen.map(({ id }) => id)}
      onChoose={(ids) => {
        const byId = new Map([...chosen, ...others].map((client) => [client.id, client]))
        onChoose(ids.flatMap((id) => byId.get(id) ?? []))
      }}
    >
      <LoadMore
        hasMore={clients.hasNextPage}
        isLoading={clients.isFetchingNextPage}
        error={null}
        onMore={() => void clients.fetchNextPage()}
      />
    </ChooseMany>
  )
}
