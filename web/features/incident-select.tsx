import { Select, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { distanceMeters } from '#domain/geometry/measure-path.ts'
import { counted } from '#domain/values/wording.ts'
import { choiceQuery } from '#web/api/features.api.ts'
import { formatDistance, readersUnits } from '#web/ui/measures.ts'
import { typeLabel } from './type-label.ts'

type IncidentSelectProps = {
  mapId: string
  label: string
  /** Distances are measured from here. */
  place: LatLng
  /** Ids of incidents that cannot be chosen. */
  without: readonly string[]
  onChoose(incident: { id: string; title: string }): void
}

/** Searched on the server: a map may have many incidents. */
export function IncidentSelect({ mapId, label, place, without, onChoose }: IncidentSelectProps) {
  const [search, setSearch] = useState('')
  const [isOpen, { open, close }] = useDisclosure(false)
  const { data, isPlaceholderData } = useQuery(choiceQuery(mapId, 'incident', search))
  const found = (data?.items ?? []).filter(({ id }) => !without.includes(id))
  const more = data?.next ? ', and more' : ''
  return (
    <>
      <Select
        label={label}
        placeholder="Search by title"
        searchable
        value={null}
        searchValue={search}
        onSearchChange={setSearch}
        onDropdownOpen={open}
        onDropdownClose={close}
        filter={({ options }) => options}
        maxDropdownHeight={260}
        nothingFoundMessage="No matching incidents"
        data={found.map((incident) => ({ value: incident.id, label: inWords(incident, place) }))}
        onChange={(id) => {
          const chosen = found.find((incident) => incident.id === id)
          if (chosen) onChoose({ id: chosen.id, title: titleOf(chosen) })
        }}
      />
      <VisuallyHidden role="status">
        {isOpen && data && !isPlaceholderData && `${counted(found.length, 'incident')} found${more}`}
      </VisuallyHidden>
    </>
  )
}

const titleOf = ({ name }: FeatureSummary) => name || 'Untitled'

function inWords(incident: FeatureSummary, { lat, lng }: LatLng): string {
  const { kind, type, parcel, location } = incident
  const meters = distanceMeters([lng, lat], [location.lng, location.lat])
  const distance = `${formatDistance(meters, readersUnits())} away`
  const facts = [typeLabel(kind, type), ...(parcel ? [parcel.name] : []), distance]
  return `${titleOf(incident)} (${facts.join(', ')})`
}
