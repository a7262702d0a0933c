import { Checkbox, Group, NativeSelect } from '@mantine/core'
import { type BaseMap, baseMapLabels, baseMaps } from '#domain/map-configuration/map-constants.ts'
import { FieldGroup, type FieldsProps } from './field-group.tsx'

export function BaseMapFields({ draft, problemOf }: FieldsProps) {
  const { mapTypes, defaultMapType } = draft.values
  return (
    <FieldGroup title="Base maps">
      <Checkbox.Group
        label="Map types"
        value={mapTypes}
        error={problemOf('mapTypes')}
        onChange={(chosen) => draft.setMapTypes(baseMaps.filter((baseMap) => chosen.includes(baseMap)))}
      >
        <Group gap="md" mt={8}>
          {baseMaps.map((baseMap) => (
            <Checkbox key={baseMap} value={baseMap} label={baseMapLabels[baseMap]} />
          ))}
        </Group>
      </Checkbox.Group>
      <NativeSelect
        label="Default map type"
        value={defaultMapType}
        error={problemOf('defaultMapType')}
        data={mapTypes.map((baseMap) => ({ value: baseMap, label: baseMapLabels[baseMap] }))}
        onChange={(event) => draft.set({ defaultMapType: event.currentTarget.value as BaseMap })}
      />
    </FieldGroup>
  )
}
