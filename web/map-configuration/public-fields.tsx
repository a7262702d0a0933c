import { Checkbox, Group, NativeSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type BaseMap,
  baseMapLabels,
  baseMaps,
  drawingToolLabels,
  drawingTools,
} from '#domain/map-configuration/map-constants.ts'
import { counted } from '#domain/values/wording.ts'
import { metadataNamesQuery } from '#web/api/map-configuration.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { SearchInput } from '#web/ui/search-box.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { FieldGroup, type FieldsProps } from './field-group.tsx'
import classes from './public-fields.module.css'

export function PublicFields(props: FieldsProps) {
  const { draft, problemOf } = props
  const { showPersonalData, drawingTools: chosen } = draft.values
  return (
    <>
      <FieldGroup title="Privacy">
        <Switch
          label="Show owners, tax information, and reporters to the public"
          description="Staff always see them."
          checked={showPersonalData}
          onChange={(event) => draft.set({ showPersonalData: event.currentTarget.checked })}
        />
        <MetadataFields {...props} />
      </FieldGroup>
      <FieldGroup title="Drawing tools">
        <Checkbox.Group
          label="Tools in the viewer"
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

const manyNames = 12

function MetadataFields({ draft, problemOf }: FieldsProps) {
  const isStaff = useMay('staff', draft.mapId)
  const found = useQuery({ ...metadataNamesQuery(draft.mapId), enabled: isStaff })
  const [search, setSearch] = useState('')
  const { publicMetadata } = draft.values
  const counts = new Map(found.data?.items.map(({ name, features }) => [name, features]))
  // Published names come first, also without features: the next import may contain them. The order stays while one is
  // chosen.
  const names = [
    ...new Set([...draft.base.configuration.publicMetadata, ...counts.keys(), ...publicMetadata]),
  ]
  const shown = names.filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const problem = [...Array(publicMetadata.length).keys()]
    .map((at) => problemOf(`publicMetadata.${at}`))
    .find(Boolean)
  return (
    <Checkbox.Group
      label="Public metadata"
      description="Extra columns from imported files. Staff always see all of them."
      value={publicMetadata}
      error={problemOf('publicMetadata') ?? problem}
      onChange={(chosen) => draft.set({ publicMetadata: chosen })}
    >
      {names.length > manyNames && (
        <SearchInput
          mt={8}
          label="Search metadata"
          placeholder="Search metadata..."
          value={search}
          onType={setSearch}
        />
      )}
      {shown.length > 0 && (
        <div className={classes.names}>
          {shown.map((name) => (
            <Checkbox
              key={name}
              value={name}
              label={
                <span>
                  {name}{' '}
                  <span className={classes.count}>{countText(counts.get(name), found.data?.isComplete)}</span>
                </span>
              }
            />
          ))}
        </div>
      )}
      <p className={classes.state} role="status">
        {found.isError && (
          <>
            Could not load the metadata names.{' '}
            <SmallButton size="compact-xs" onClick={() => void found.refetch()}>
              Try again
            </SmallButton>
          </>
        )}
        {found.data && !found.data.isComplete && 'Counting…'}
        {found.data?.isComplete && names.length === 0 && 'No metadata yet'}
        {names.length > 0 && shown.length === 0 && 'No matching metadata'}
      </p>
    </Checkbox.Group>
  )
}

function countText(features: number | undefined, isComplete = false): string {
  return features === undefined && !isComplete ? '' : counted(features ?? 0, 'feature')
}
