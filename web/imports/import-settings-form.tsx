import { Button, Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Definition, singleFields } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import type {
  FoundInFiles,
  ImportDraft,
  ImportSettings,
  SuggestedProjection,
} from '#domain/imports/import-draft.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { formatKilometers } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { FileLayout } from './file-layout.tsx'
import { ImportColumns } from './import-columns.tsx'
import classes from './import-panel.module.css'
import { type SettingsUpdate, useSettings } from './use-settings.ts'

type ImportSettingsFormProps = {
  mapId: string
  draft: ImportDraft
  isTrying: boolean
  onTry(): void
  /** Around the button that ends this step. */
  footer(preview: ReactNode): ReactNode
}

export function ImportSettingsForm({ mapId, draft, isTrying, onTry, footer }: ImportSettingsFormProps) {
  const { settings, error, isPending, update } = useSettings(mapId, draft)
  const change = (changed: Partial<ImportSettings>) => update(() => changed)
  const { kind, type, source, areCoordinatesSwapped } = settings
  const types = kind === null ? [] : typesOf(kind)
  return (
    <div className={classes.work}>
      {error && (
        <p className={classes.problem} role="alert">
          {error.message}
        </p>
      )}
      {draft.found?.recipe && (
        <RecipeNote recipe={draft.found.recipe} onLeave={() => change({ takesRecipe: false })} />
      )}
      <LayerChoice found={draft.found} settings={settings} onChange={change} />
      <div className={classes.pair}>
        <NativeSelect
          label="Import as"
          value={kind ?? ''}
          data={[
            ...(kind === null ? [{ value: '', label: 'Choose' }] : []),
            ...featureKinds.map((value) => ({ value, label: kindLabels[value].one })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            update(({ layout }) => ({
              kind: value as FeatureKind,
              type: null,
              columns: {},
              values: {},
              layout: { ...layout, joined: {}, constants: {} },
            }))
          }
        />
        {types.length > 0 && (
          <NativeSelect
            label="Type for all rows"
            value={type ?? ''}
            data={[{ value: '', label: 'From a column' }, ...types]}
            onChange={({ currentTarget: { value } }) =>
              change({ type: value === '' ? null : (value as ImportSettings['type']) })
            }
          />
        )}
        <TextInput
          key={source}
          label="Source"
          description="Use the same source name next time to update these records."
          defaultValue={source}
          maxLength={200}
          onBlur={({ currentTarget: { value } }) =>
            value.trim() !== '' && value.trim() !== source && change({ source: value.trim() })
          }
        />
      </div>
      {draft.found?.isSwapSuggested && (
        <p className={classes.offer} role="status">
          Latitude and longitude look swapped. The rows fit this map the other way around.{' '}
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => change({ areCoordinatesSwapped: !areCoordinatesSwapped })}
          >
            Swap
          </Button>
        </p>
      )}
      <Checkbox
        label="Swap latitude and longitude"
        checked={areCoordinatesSwapped}
        onChange={({ currentTarget: { checked } }) => change({ areCoordinatesSwapped: checked })}
      />
      <FileLayout mapId={mapId} draft={draft} settings={settings} onUpdate={update} />
      {draft.found && draft.found.columns.length > 0 && (
        <ImportColumns mapId={mapId} draft={draft} settings={settings} onUpdate={update} />
      )}
      {kind !== null && <OnlyFields mapId={mapId} settings={settings} onUpdate={update} />}
      {footer(
        <Button
          disabled={kind === null || draft.found?.layer == null || isPending}
          loading={isTrying}
          onClick={onTry}
        >
          Preview
        </Button>,
      )}
    </div>
  )
}

type RecipeNoteProps = { recipe: NonNullable<FoundInFiles['recipe']>; onLeave(): void }

const RecipeNote = ({ recipe: { source, importedAt, isEdition }, onLeave }: RecipeNoteProps) => (
  <p className={classes.offer} role="status">
    Same settings as the import of ‘{source}’ (
    <time dateTime={importedAt} title={exactTime(importedAt)}>
      {relativeTime(importedAt)}
    </time>
    ), which had the same columns.{' '}
    {isEdition
      ? 'Rows update the records of that import.'
      : 'Rows become new records, because the source is different.'}{' '}
    <Button size="compact-sm" variant="subtle" onClick={onLeave}>
      Reset settings
    </Button>
  </p>
)

type LayerChoiceProps = Pick<ImportDraft, 'found' | 'settings'> & {
  onChange(settings: Partial<ImportSettings>): void
}

function LayerChoice({ found, settings, onChange }: LayerChoiceProps) {
  const layers = found?.layers ?? []
  const chosen = layers.length === 1 ? layers[0] : layers.find(({ id }) => id === settings.layer)
  return (
    <>
      {layers.length > 1 && (
        <NativeSelect
          label="Layer"
          description="Layers are imported one at a time."
          value={settings.layer ?? ''}
          data={[
            ...(settings.layer === null ? [{ value: '', label: 'Choose' }] : []),
            ...layers.map(({ id, label, rows }) => ({
              value: id,
              label: rows === null ? label : `${label}, ${counted(rows, 'row')}`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ layer: value })}
        />
      )}
      {found && chosen?.needsProjection && (
        <ProjectionChoice
          key={chosen.id}
          suggested={found.suggested}
          projection={settings.projection}
          onChange={(projection) => onChange({ projection })}
        />
      )}
      {chosen?.projection && !chosen.needsProjection && (
        <p className={classes.formats}>Projection: {chosen.projection}</p>
      )}
      {chosen && chosen.notices.length > 0 && (
        <ul className={classes.doubts}>
          {chosen.notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function typesOf(kind: FeatureKind): { value: string; label: string }[] {
  const { type } = (definitions[kind] as Definition).fields
  if (type?.value.type !== 'choice') return []
  return Object.entries(type.value.choices).map(([value, label]) => ({ value, label }))
}

type OnlyFieldsProps = { mapId: string; settings: ImportSettings; onUpdate(update: SettingsUpdate): void }

function OnlyFields({ mapId, settings: { kind, onlyFields }, onUpdate }: OnlyFieldsProps) {
  const own = useCustomFields(mapId)
  if (kind === null) return null
  const choices = [
    ...singleFields(fieldsOf(kind, own)).map(([value, { label }]) => ({ value, label })),
    { value: 'geometry', label: 'Location and shape' },
    { value: 'metadata', label: 'Metadata' },
  ]
  return (
    <MultiSelect
      label="Fields to update on existing records"
      placeholder={onlyFields === null ? 'All fields' : undefined}
      data={choices}
      value={onlyFields ?? []}
      onChange={(chosen) => onUpdate(() => ({ onlyFields: chosen.length === 0 ? null : chosen }))}
      openOnFocus={false}
      searchable
      clearable
    />
  )
}

type ProjectionChoiceProps = {
  /** Most likely first; the map shows the rows in the first one until the user chooses. */
  suggested: readonly SuggestedProjection[]
  projection: string | null
  onChange(projection: string): void
}

const other = 'other'

function ProjectionChoice({ suggested, projection, onChange }: ProjectionChoiceProps) {
  const [isTyping, setTyping] = useState(false)
  const [best] = suggested
  const isOther = projection !== null && suggested.every((one) => one.projection !== projection)
  const number = (
    <TextInput
      label={best ? 'EPSG code' : 'Projection'}
      description={
        best
          ? 'Number in the EPSG registry'
          : 'The files do not specify a projection, and no common one places the rows on this map. Ask the author of the files for the EPSG code.'
      }
      placeholder="EPSG:2223"
      defaultValue={projection ?? ''}
      maxLength={12}
      onBlur={({ currentTarget: { value } }) => {
        const input = value.trim().toUpperCase()
        const code = /^\d+$/.test(input) ? `EPSG:${input}` : input
        if (code !== '' && code !== projection) onChange(code)
      }}
    />
  )
  if (!best) return number
  return (
    <>
      {projection === null && (
        <p className={classes.offer} role="status">
          The files do not specify a projection. With {best.name}, the rows are{' '}
          {best.kilometersOff === 0
            ? 'on the land of this map'
            : `${formatKilometers(best.kilometersOff)} from the land of this map`}
          . Check them on the map.{' '}
          <Button size="compact-sm" variant="light" onClick={() => onChange(best.projection)}>
            Use this projection
          </Button>
        </p>
      )}
      <NativeSelect
        label="Projection"
        value={isTyping ? other : (projection ?? '')}
        data={[
          ...(projection === null ? [{ value: '', label: 'Choose' }] : []),
          ...suggested.map((one) => ({ value: one.projection, label: wordsOf(one) })),
          ...(isOther ? [{ value: projection, label: projection }] : []),
          { value: other, label: 'Other EPSG code' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          setTyping(value === other)
          if (value !== other && value !== '') onChange(value)
        }}
      />
      {isTyping && number}
    </>
  )
}

const wordsOf = ({ projection, name, kilometersOff }: SuggestedProjection) =>
  `${name} (${projection})${kilometersOff === 0 ? '' : `, ${formatKilometers(kilometersOff)} from the land`}`
