import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type MadeApiToken,
  maxMapsOfToken,
  newApiToken,
  type TokenScope,
  tokenScopeLabels,
  tokenScopes,
} from '#domain/access/api-token.schema.ts'
import { apiTokensKey, makeApiToken } from '#web/api/api-tokens.api.ts'
import { clientListQuery } from '#web/api/clients.api.ts'
import { RequestError } from '#web/api/http.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { ChooseMany } from '#web/ui/choose-many.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { ShownSecret } from '#web/ui/shown-secret.tsx'
import classes from './api-tokens.module.css'

const dayMs = 86_400_000

/** In days; null is the maximum. */
const ends: readonly { label: string; days: number | null }[] = [
  { label: 'In 1 year', days: null },
  { label: 'In 6 months', days: 182 },
  { label: 'In 90 days', days: 90 },
  { label: 'In 30 days', days: 30 },
  { label: 'In 7 days', days: 7 },
  { label: 'In 1 day', days: 1 },
]

export function MakeToken({ mapId, onClose }: { mapId: string | undefined; onClose(): void }) {
  const [made, setMade] = useState<MadeApiToken | null>(null)
  return (
    <Dialog
      title={made ? `Token ‘${made.name}’ created` : 'Create token'}
      isOpen
      onClose={onClose}
      closesByClickBeside={false}
    >
      {() =>
        made ? (
          <MadeToken made={made} onClose={onClose} />
        ) : (
          <NewTokenForm mapId={mapId} onMade={setMade} onCancel={onClose} />
        )
      }
    </Dialog>
  )
}

type NewTokenFormProps = {
  mapId: string | undefined
  onMade(made: MadeApiToken): void
  onCancel(): void
}

function NewTokenForm({ mapId, onMade, onCancel }: NewTokenFormProps) {
  const client = useQueryClient()
  const hasNoMaps = useInfiniteQuery(mapsQuery()).data?.pages[0]?.items.length === 0
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read'])
  const [mapIds, setMapIds] = useState<readonly string[]>(mapId === undefined ? [] : [mapId])
  const [end, setEnd] = useState(ends[0]?.label)
  const [isChecked, setIsChecked] = useState(false)
  const parsed = newApiToken.safeParse({ name, scopes, mapIds })
  // The second click of a double click arrives before the button is disabled.
  const isUnderWay = useRef(false)
  const making = useMutation({
    mutationFn: makeApiToken,
    onSettled() {
      isUnderWay.current = false
    },
    onSuccess(made) {
      onMade(made)
      void client.invalidateQueries({ queryKey: apiTokensKey })
    },
  })
  const refused = making.error instanceof RequestError ? making.error.fields : []
  const words = {
    name: name.trim() === '' ? 'Enter a name' : undefined,
    scopes: scopes.length === 0 ? 'Choose at least one' : undefined,
    mapIds:
      mapIds.length === 0
        ? 'Choose at least one map'
        : mapIds.length > maxMapsOfToken
          ? `Choose ${maxMapsOfToken} maps or fewer`
          : undefined,
  }
  function problemOf(field: keyof typeof words): string | undefined {
    const issue = isChecked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined
    const refusal = refused.find((one) => one.name.split('.')[0] === field)?.message
    return issue ? (words[field] ?? issue.message) : refusal
  }
  function submit() {
    setIsChecked(true)
    const days = ends.find(({ label }) => label === end)?.days ?? null
    const until = days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }
    if (!parsed.data || isUnderWay.current) return
    isUnderWay.current = true
    making.mutate({ ...parsed.data, ...until })
  }
  if (hasNoMaps) return <p className={classes.none}>You need a role on at least one map to create a token.</p>
  return (
    <CheckedForm refusal={making.error} onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Shown in the history of changes made with this token"
          placeholder="County sync"
          data-autofocus
          withAsterisk
          maxLength={80}
          value={name}
          error={problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Permissions"
          description="Never exceeds your own access"
          value={[...scopes]}
          error={problemOf('scopes')}
          onChange={(values) => setScopes(tokenScopes.filter((scope) => values.includes(scope)))}
        >
          <Stack gap="xs" mt="xs">
            {tokenScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={tokenScopeLabels[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          value={end}
          data={ends.map(({ label }) => label)}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
        <MapChoice chosen={mapIds} onChoose={setMapIds} error={problemOf('mapIds')} />
      </Stack>
      <FormFooter failure={refused.length === 0 && making.error?.message}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={making.isPending}>
          Create token
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}

const mapsQuery = (text = '') => clientListQuery({ text, state: 'open', sort: 'name', totals: false })

type MapChoiceProps = {
  chosen: readonly string[]
  onChoose(ids: readonly string[]): void
  error: string | undefined
}

function MapChoice(props: MapChoiceProps) {
  const [text, setText] = useState<string>()
  const clients = useInfiniteQuery(mapsQuery(text))
  // The client of the page is in view.
  const [first] = useState(new Set(props.chosen))
  const options = (clients.data?.pages.flatMap((page) => page.items) ?? [])
    .map(({ id, name: label }) => ({ id, label }))
    .toSorted((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)))
  return (
    <ChooseMany
      {...props}
      label="Maps"
      searchLabel="Search clients"
      placeholder="Search clients..."
      text={text}
      onSearch={setText}
      isSearching={clients.isPlaceholderData || clients.isPending}
      options={options}
    >
      <LoadMore
        hasMore={clients.hasNextPage}
        isLoading={clients.isFetchingNextPage}
        error={clients.error}
        onMore={() => void clients.fetchNextPage()}
      />
    </ChooseMany>
  )
}

function MadeToken({ made, onClose }: { made: MadeApiToken; onClose(): void }) {
  const [map] = made.maps
  return (
    <>
      <Stack gap="md">
        <Text size="md">
          <b>Copy the token now. It will not be shown again.</b> Keep it secret, like a password.
        </Text>
        <ShownSecret label="Token" value={made.secret} />
        <Text size="md">
          In QGIS and GDAL, enter it as the password, with the user name <b>token</b>. In scripts, send it in
          a header:
        </Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <pre className={classes.example} tabIndex={0}>
          curl -H 'Authorization: Bearer poa_…' {window.location.origin}/ogc/{map?.id}
        </pre>
      </Stack>
      <FormFooter>
        <Button onClick={onClose}>Done</Button>
      </FormFooter>
    </>
  )
}
