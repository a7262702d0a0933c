import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mapRoleLabels } from '#domain/access/access.ts'
import type { PersonAccess } from '#domain/access/people.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { peopleQuery } from '#web/api/people.api.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SearchBox } from '#web/ui/search-box.tsx'
import { EmptyState, LoadingRows, NoPermission } from '#web/ui/states.tsx'
import classes from './client-selection-page.module.css'
import table from './client-table.module.css'
import styles from './people-page.module.css'

export function PeoplePage() {
  const isAdministrator = useMay('administrator')
  usePageTitle('People')
  return (
    <>
      <header className={classes.bar}>Administration</header>
      <main className={classes.page}>
        <div className={classes.column}>
          <div className={classes.heading}>
            <div>
              <h1>People</h1>
              <p>Who has signed in, and their roles at the last sign-in</p>
            </div>
          </div>
          {isAdministrator ? <People /> : <NoPermission text="Only administrators can see people." />}
        </div>
      </main>
    </>
  )
}

function People() {
  const [text, setText] = useState<string>()
  const people = useInfiniteQuery(peopleQuery(text))
  if (people.isError && !people.data)
    return <ErrorState title="Could not load people." error={people.error} onRetry={() => people.refetch()} />
  const [first] = people.data?.pages ?? []
  const items = people.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {first && <RoleSource claim={first.rolesClaim} />}
      <div className={classes.tools}>
        <SearchBox
          className={classes.search}
          size="md"
          label="Search people"
          placeholder="Search people..."
          text={text}
          onSearch={setText}
        />
        <p className={classes.count} role="status">
          {first && counted(first.total, 'person', 'people')}
        </p>
      </div>
      {!first && <LoadingRows label="Loading people" height={56} />}
      {first?.total === 0 && (
        <EmptyState
          text={text === undefined ? 'Nobody has signed in yet.' : `No people found matching "${text}".`}
        />
      )}
      <div className={classes.clients} data-stale={people.isPlaceholderData || undefined}>
        {items.length > 0 && <PeopleTable people={items} />}
      </div>
      <LoadMore
        hasMore={people.hasNextPage}
        isLoading={people.isFetchingNextPage}
        error={people.data ? people.error : null}
        onMore={() => void people.fetchNextPage()}
      />
    </>
  )
}

function RoleSource({ claim }: { claim: string | null }) {
  const session = useSession()
  const isDemo = session.status === 'authenticated' && session.isDemo
  return (
    <p className={styles.source}>
      {isDemo ? (
        'Roles come from the built-in demo sign-in, which has made-up people. With your own identity provider, you assign roles there.'
      ) : claim === null ? (
        <>
          <b>All users of your identity provider are administrators</b>, because no claim for roles is set up
          (<code>OIDC_ROLES_CLAIM</code>).
        </>
      ) : (
        <>
          Your identity provider assigns roles, in the claim <code>{claim}</code>. Change them there; changes
          apply at the next sign-in.
        </>
      )}{' '}
      People appear here after they first sign in, and leave the list 400 days after their last sign-in.
    </p>
  )
}

function PeopleTable({ people }: { people: readonly PersonAccess[] }) {
  return (
    <table className={`${table.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Last sign-in</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id} className={table.row}>
            <th scope="row">{person.name}</th>
            <td>
              <Roles person={person} />
            </td>
            <td>
              <time dateTime={person.signedInAt} title={exactTime(person.signedInAt)}>
                Signed in {relativeTime(person.signedInAt)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Roles({ person: { isAdministrator, maps, mapCount } }: { person: PersonAccess }) {
  if (isAdministrator) return 'Administrator of all maps'
  if (mapCount === 0) return <span className={table.none}>No role: view only</span>
  return (
    <ul className={styles.roles}>
      {maps.map(({ id, name, role }) => (
        <li key={id}>
          {mapRoleLabels[role]} of {name ?? `${id} (no such map)`}
        </li>
      ))}
      {mapCount > maps.length && <li>and {counted(mapCount - maps.length, 'more map')}</li>}
    </ul>
  )
}
