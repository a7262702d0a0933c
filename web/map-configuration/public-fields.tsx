import { Checkbox, Group, NativeSelect, Switch } from '@mantine/core'
import {
  type BaseMap,
  baseMapLabels,
  baseMaps,
  drawingToolLabels,
  drawingTools,
} from '#domain/map-configuration/map-constants.ts'
import { FieldGroup, type FieldsProps } from './field-group.tsx'
import { MetadataFields } from './metadata-fields.tsx'

export function PublicFields(props: FieldsProps) {
  const { draft, problemOf } = props
  const { showPersonalData, drawingTools: chosen } = draft.values
  return (
    <>
      <FieldGroup title="Privacy">
        <Switch
          label="The public sees owners, tax information and reporters"
          description="Staff of this map always see them."
          checked={showPersonalData}
          onChange={(event) => draft.set({ showPersonalData: event.currentTarget.checked })}
        />
        <MetadataFields {...props} />
      </FieldGroup>
      <FieldGroup title="Drawing tools">
        <Checkbox.Group
          label="Offered in the viewer"
          value={chosen}
          error={problemOf('drawingTools')}
          onChange={(tools) =>
            draft.set({ drawingTools: drawingTools.filter((tool) => tools.includes(tool)) })
          }
        >
          <Group gap="md" mt={8}>
            {drawingTools.map((tool) => (
              <Checkbox key={tool} value={tool} label={drawingToolLabels[tool]} />
            ))}
          </Group>
        </Checkbox.Group>
      </FieldGroup>
    </>
  )
}

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
