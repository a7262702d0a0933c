import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type ClientSort, clientSorts } from '#domain/clients/client-sort.ts'
import { counted } from '#domain/values/wording.ts'
import { type ClientState, clientListQuery } from '#web/api/clients.api.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { AddClient } from '#web/clients/add-client.tsx'
import { ClientCard, ClientCardSkeletons } from '#web/clients/client-card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import classes from './client-selection-page.module.css'
import { ClientTable } from './client-table.tsx'
import type { ClientSearch } from './config-search.ts'

const pageTitle = 'Rural Land Parcel Incident Map CMS'

const sortLabels: Record<ClientSort, string> = {
  name: 'Name',
  incidents: 'Open incidents',
  changed: 'Last updated',
  size: 'Size',
}

/** Section 2 of the specification, 'Client selection'. */
export function ClientSelectionPage() {
  const navigate = useNavigate()
  const { text = '', state = 'open', sort = 'name' } = useSearch({ strict: false }) as ClientSearch
  const [isAdding, adding] = useDisclosure(false)
  const mayAdd = useMay('administrator')
  const [view, setView] = useLocalStorage<'cards' | 'list'>({
    key: 'poa.clients.view',
    defaultValue: 'cards',
    getInitialValueInEffect: false,
  })
  const isList = view === 'list'
  const clients = useInfiniteQuery(clientListQuery({ text, state, sort, totals: isList }))
  const update = (changes: ClientSearch) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true })
  useLiveUpdates('all')
  useEffect(() => {
    document.title = pageTitle
  }, [])

  const shown = clients.data?.pages.flatMap((page) => page.items) ?? []
  const total = clients.data?.pages[0]?.total
  return (
    <>
      <header className={classes.bar}>{pageTitle}</header>
      <main className={classes.page}>
        <div className={classes.column}>
          <div className={classes.heading}>
            <div>
              <h1>Client Selection</h1>
              <p>Select a client to view their land parcels and incidents</p>
            </div>
            {mayAdd && (
              <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={adding.open}>
                Add client
              </Button>
            )}
          </div>
          <div className={classes.tools}>
            <SearchBox
              className={classes.search}
              size="md"
              label="Search clients"
              placeholder="Search clients..."
              text={text}
              onSearch={(sought) => update({ text: sought })}
            />
            {mayAdd && (
              <SegmentedControl
                aria-label="Client status"
                value={state}
                data={[
                  { value: 'open', label: 'Open' },
                  { value: 'archived', label: 'Archived' },
                ]}
                onChange={(value) => update({ state: value === 'archived' ? value : undefined })}
              />
            )}
            <NativeSelect
              aria-label="Sort by"
              value={sort}
              data={clientSorts.map((value) => ({ value, label: `Sort by: ${sortLabels[value]}` }))}
              onChange={({ currentTarget: { value } }) =>
                update({ sort: clientSorts.find((candidate) => candidate === value && candidate !== 'name') })
              }
            />
            <SegmentedControl
              aria-label="View"
              value={isList ? 'list' : 'cards'}
              data={[
                { value: 'cards', label: 'Cards' },
                { value: 'list', label: 'List' },
              ]}
              onChange={(value) => setView(value === 'list' ? 'list' : 'cards')}
            />
            <p className={classes.count} role="status">
              {total !== undefined && counted(total, 'client')}
            </p>
          </div>
          {clients.isPending && <ClientCardSkeletons />}
          {clients.isError && !clients.data && (
            <ErrorState
              title="Could not load the clients."
              error={clients.error}
              onRetry={() => clients.refetch()}
            />
          )}
          {total === 0 && <NoClients text={text} state={state} />}
          <div className={classes.clients} data-stale={clients.isPlaceholderData || undefined}>
            {isList && shown.length > 0 && (
              <ClientTable clients={shown} total={total ?? 0} totals={clients.data?.pages[0]?.totals} />
            )}
            {!isList && (
              <ul className={classes.grid}>
                {shown.map((client) => (
                  <ClientCard key={client.id} client={client} />
                ))}
              </ul>
            )}
          </div>
          <LoadMore
            hasMore={clients.hasNextPage}
            isLoading={clients.isFetchingNextPage}
            error={clients.data ? clients.error : null}
            onMore={() => void clients.fetchNextPage()}
          />
        </div>
      </main>
      <AddClient isOpen={isAdding} onClose={adding.close} />
    </>
  )
}

function NoClients({ text, state }: { text: string; state: ClientState }) {
  const session = useSession()
  if (text !== '') return <p className={classes.empty}>No clients found matching "{text}".</p>
  if (state === 'archived') return <p className={classes.empty}>No archived clients</p>
  const hasRoles =
    session.status === 'authenticated' &&
    (session.person.roles.isAdministrator || Object.keys(session.person.roles.ofMaps).length > 0)
  return (
    <p className={classes.empty}>
      {hasRoles
        ? 'No clients yet'
        : 'You do not have access to any clients yet. Ask an administrator for access.'}
    </p>
  )
}
