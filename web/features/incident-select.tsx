import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choiceQuery } from '#web/api/features.api.ts'

type IncidentSelectProps = {
  mapId: string
  label: string
  /** Ids of incidents that cannot be chosen. */
  without: readonly string[]
  onChoose(incident: { id: string; title: string }): void
}

/** Searched on the server: a map may have many incidents. */
export function IncidentSelect({ mapId, label, without, onChoose }: IncidentSelectProps) {
  const [search, setSearch] = useState('')
  const { data } = useQuery(choiceQuery(mapId, 'incident', search))
  const found = (data?.items ?? []).filter(({ id }) => !without.includes(id))
  return (
    <Select
      label={label}
      placeholder="Search by title"
      searchable
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      maxDropdownHeight={260}
      nothingFoundMessage="No matching incidents"
      data={found.map(({ id, name }) => ({ value: id, label: name || 'Untitled' }))}
      onChange={(_, option) => option !== null && onChoose({ id: option.value, title: option.label })}
    />
  )
}
