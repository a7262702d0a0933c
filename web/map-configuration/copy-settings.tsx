import { Checkbox, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client } from '#domain/clients/client.schema.ts'
import type {
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { applyConfiguration } from '#web/api/map-configuration.api.ts'
import { mapConfigurationQuery } from '#web/api/maps.api.ts'
import { CopyToOthers } from './copy-to-others.tsx'

/** Center, zoom and bounds are not copied, as they differ between clients. */
const parts = {
  baseMaps: { label: 'Base maps', fields: ['mapTypes', 'defaultMapType'] },
  privacy: { label: 'Privacy', fields: ['showPersonalData'] },
  metadata: { label: 'Public metadata', fields: ['publicMetadata'] },
  drawing: { label: 'Drawing tools', fields: ['drawingTools'] },
} as const satisfies Record<string, { label: string; fields: readonly (keyof MapConfiguration)[] }>
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]

export function CopySettings({ source }: { source: MapConfigurationAnswer }) {
  const client = useQueryClient()
  const [chosenParts, setChosenParts] = useState<string[]>(['baseMaps', 'drawing'])
  const fields = partNames
    .filter((name) => chosenParts.includes(name))
    .flatMap((name): readonly (keyof MapConfiguration)[] => parts[name].fields)

  async function copyTo({ id }: Client): Promise<string> {
    const current = await client.fetchQuery({ ...mapConfigurationQuery(id), staleTime: 0 })
    const copied = Object.fromEntries(fields.map((field) => [field, source.configuration[field]]))
    const answer = await applyConfiguration(id, current.version, { ...current.configuration, ...copied })
    const { version } = answer
    if (version === current.version) return 'has these settings already'
    client.setQueryData(mapConfigurationQuery(id).queryKey, answer)
    followChanges(client, [{ mapId: id, part: 'configuration', id: null, version }])
    return `settings applied, version ${version}`
  }
  return (
    <CopyToOthers
      what="settings"
      ownId={source.mapId}
      isReady={fields.length > 0}
      copyTo={copyTo}
      outcome={{
        section: 'configuration',
        search: { versions: 'open' },
        note: 'Each client keeps its earlier settings as versions: follow its name to restore one.',
      }}
    >
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
    </CopyToOthers>
  )
}
