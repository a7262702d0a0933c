import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import {
  type FeatureKind,
  featureKinds,
  featureStatuses,
  incidentStatuses,
  kindLabels,
  operationalStatuses,
  statusLabels,
} from '#domain/definition/kinds.ts'
import { incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'
import { featureTableQuery, type TableQuestion } from '#web/api/features.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { FeatureTable } from '#web/features/feature-table.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { formatNumber } from '#web/ui/measures.ts'
import type { Workspace } from '#web/workspace/use-workspace.ts'
import type { ConfigMapSearch } from './config-map-search.ts'
import classes from './features-section.module.css'

const DetailPanel = lazyPart(() =>
  import('#web/features/detail-panel.tsx').then((module) => module.DetailPanel),
)

/** Section 2 of the specification, 'Map Features': everything on the map as a table. */
export function FeaturesSection({ workspace }: { workspace: Workspace<ConfigMapSearch> }) {
  const { mapId, address } = workspace
  const { update } = address
  const mayEdit = useMay('editor', mapId)
  const { select, ...question } = address.search
  const { data } = useQuery(featureTableQuery(mapId, question, 0))
  useEscape(() => {
    if (select !== undefined) workspace.select(undefined)
  })
  return (
    <div className={classes.section}>
      <header className={classes.header}>
        <h1>Map Features</h1>
        <p role="status">
          {data && `${formatNumber(data.total)} ${data.total === 1 ? 'feature' : 'features'}`}
        </p>
      </header>
      <Filters question={question} update={update} />
      <FeatureTable
        mapId={mapId}
        question={question}
        selectedId={select}
        mayEdit={mayEdit}
        onSelect={({ id, location }) => workspace.show(id, location)}
        onSort={(sort) => update({ sort })}
      />
      {select !== undefined && (
        <div className={classes.detail}>
          <Guard
            subject={select}
            what="The details"
            layout="panel"
            onClose={() => workspace.select(undefined)}
          >
            <DetailPanel
              mapId={mapId}
              id={select}
              onClose={() => workspace.select(undefined)}
              onSelect={workspace.select}
            />
          </Guard>
        </div>
      )}
    </div>
  )
}

type FiltersProps = { question: TableQuestion; update(changes: Partial<ConfigMapSearch>): void }

function Filters({ question, update }: FiltersProps) {
  const [typed, setTyped] = useState(question.text ?? '')
  const search = useDebouncedCallback((text: string) => update({ text: text.trim() || undefined }), 250)
  const types = typesOf(question.kind)
  return (
    <div className={classes.filters}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label="Search features"
        placeholder="Search..."
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
      <NativeSelect
        aria-label="Kind"
        value={question.kind ?? ''}
        data={[
          { value: '', label: 'All kinds' },
          ...featureKinds.map((value) => ({ value, label: kindLabels[value].many })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          update({
            kind: featureKinds.find((kind) => kind === value),
            type: undefined,
            status: undefined,
          })
        }
      />
      {types.length > 0 && (
        <NativeSelect
          aria-label="Type"
          value={question.type ?? ''}
          data={[{ value: '', label: 'All types' }, ...types]}
          onChange={({ currentTarget: { value } }) =>
            update({ type: [...incidentTypes, ...assetTypes].find((type) => type === value) })
          }
        />
      )}
      {question.kind !== 'parcel' && (
        <NativeSelect
          aria-label="Status"
          value={question.status ?? ''}
          data={[
            { value: '', label: 'Any status' },
            ...statusesOf(question.kind).map((value) => ({ value, label: statusLabels[value] })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            update({ status: featureStatuses.find((status) => status === value) })
          }
        />
      )}
    </div>
  )
}

/** A type narrows its own kind alone, so it is offered once the kind is chosen. */
function typesOf(kind: FeatureKind | undefined): { value: string; label: string }[] {
  if (kind === 'incident') return incidentTypes.map((value) => ({ value, label: incidentTypeLabels[value] }))
  if (kind === 'asset') return assetTypes.map((value) => ({ value, label: assetTypeLabels[value] }))
  return []
}

function statusesOf(kind: FeatureKind | undefined) {
  if (kind === 'incident') return incidentStatuses
  return kind === 'asset' ? operationalStatuses : featureStatuses
}

/** Esc anywhere but where it has a meaning of its own: in dialogs, menus and fields. */
function useEscape(onEscape: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const target = event.target as HTMLElement
    if (!target.closest('[role=dialog], [role=menu], input, select')) onEscape()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
