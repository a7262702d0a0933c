import { Tabs, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type FeatureKind, featureKinds } from '#domain/features/kinds.ts'
import { type FeatureQuestion, featureListQuery } from '#web/api/features.api.ts'
import type { LiveConnection } from '#web/api/live-updates.ts'
import { FeatureList } from '#web/features/feature-list.tsx'
import type { Filters } from '#web/features/filters-panel.tsx'
import { kindLabels } from '#web/features/type-label.ts'
import { formatNumber } from '#web/ui/measures.ts'
import classes from './list-pane.module.css'
import type { MapSearch } from './map-search.ts'

/** What sidebar and phone sheet share. */
export type PaneProps = {
  mapId: string
  summary: MapSummary | undefined
  search: MapSearch
  filters: Filters
  since: string | undefined
  isVisible: Record<FeatureKind, boolean>
  connection: LiveConnection
  searchRef: Ref<HTMLInputElement>
  update(changes: Partial<MapSearch>): void
  onSelect(id: string, location?: { lat: number; lng: number }): void
  onHelp(): void
}

export function questionOf(kind: FeatureKind, { filters, since, search }: PaneProps): FeatureQuestion {
  return {
    kind,
    type: { incident: filters.incidents, asset: filters.assets, parcel: undefined }[kind],
    since: kind === 'incident' ? since : undefined,
    text: search.text,
  }
}

const noFilters: Partial<MapSearch> = {
  incidents: undefined,
  assets: undefined,
  time: undefined,
  text: undefined,
}

/** Search, tabs with their counts, and the list of the chosen tab. */
export function ListPane(props: PaneProps) {
  const { mapId, search, update, onSelect } = props
  const tab = search.tab ?? 'incident'
  const question = questionOf(tab, props)
  const isNarrowed =
    question.type !== undefined || question.since !== undefined || question.text !== undefined
  return (
    <>
      {props.connection === 'lost' && (
        <p className={classes.lost} role="status">
          Not connected: what you see may be out of date.
        </p>
      )}
      <SearchBox {...props} />
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(value) => {
          const kind = featureKinds.find((candidate) => candidate === value)
          update({ tab: kind === 'incident' ? undefined : kind })
        }}
        keepMounted={false}
      >
        <Tabs.List grow>
          {featureKinds.map((kind) => (
            <Tabs.Tab key={kind} value={kind}>
              {kindLabels[kind].many} <Count mapId={mapId} question={questionOf(kind, props)} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.list}>
          <FeatureList
            key={tab}
            mapId={mapId}
            question={question}
            selectedId={search.select}
            onSelect={(feature: FeatureSummary) => onSelect(feature.id, feature.location)}
            onClearFilters={isNarrowed ? () => update(noFilters) : undefined}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Typing waits a moment before it asks; the address follows, and leads where somebody else changes it. */
function SearchBox({ search, update, searchRef }: PaneProps) {
  const inAddress = search.text ?? ''
  const [typed, setTyped] = useState(inAddress)
  const [known, setKnown] = useState(inAddress)
  if (inAddress !== known) {
    setKnown(inAddress)
    if (inAddress !== typed.trim()) setTyped(inAddress)
  }
  const commit = useDebouncedCallback((text: string) => update({ text: text.trim() || undefined }), 250)
  return (
    <TextInput
      ref={searchRef}
      className={classes.search}
      type="search"
      aria-label="Search the list"
      placeholder="Search..."
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={typed}
      maxLength={200}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        commit(event.currentTarget.value)
      }}
    />
  )
}

function Count({ mapId, question }: { mapId: string; question: FeatureQuestion }) {
  const { data } = useInfiniteQuery(featureListQuery(mapId, question))
  const total = data?.pages[0]?.total
  return total === undefined ? null : <span className={classes.count}>{formatNumber(total)}</span>
}
