import { TextInput } from '@mantine/core'
import { IconMap, IconViewfinder } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapViewport } from '#web/map/map-view.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './configuration-panel.module.css'
import type { ConfigurationDraft } from './use-configuration-draft.ts'

export type ConfigurationPanelProps = {
  draft: ConfigurationDraft
  viewport: MapViewport | null
  hasParcels: boolean
  areVersionsOpen: boolean
  onShowVersions(areOpen: boolean): void
  onShowCamera(camera: LatLng & { zoom: number }): void
  onShowExtent(extent: Bounds): void
  /** While the map is hidden. */
  onShowMap: (() => void) | null
}

export type FieldsProps = ConfigurationPanelProps & { problemOf(path: string): string | undefined }

type FieldGroupProps = { title: string; action?: ReactNode; children: ReactNode }

export function FieldGroup({ title, action, children }: FieldGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand in a line with a button
    <div className={classes.group} role="group" aria-labelledby={id}>
      <div className={classes.groupHeader}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </div>
  )
}

type UseCurrentViewProps = Pick<FieldsProps, 'onShowMap'> & { for: string; isReady: boolean; onUse(): void }

export function UseCurrentView({ for: group, isReady, onUse, onShowMap }: UseCurrentViewProps) {
  if (onShowMap)
    return (
      <SmallButton icon={IconMap} aria-label={`Show map to set ${group}`} onClick={onShowMap}>
        Show map
      </SmallButton>
    )
  return (
    <SmallButton
      icon={IconViewfinder}
      disabled={!isReady}
      aria-label={`Use current view for ${group}`}
      onClick={onUse}
    >
      Use current view
    </SmallButton>
  )
}

type DegreesInputProps = {
  label: string
  limit: 90 | 180
  value: string
  error: string | undefined
  onChange(value: string): void
}

/** Section 5 of the specification: a number with step 0.0001. */
export function DegreesInput({ label, limit, value, error, onChange }: DegreesInputProps) {
  return (
    <TextInput
      type="number"
      inputMode="decimal"
      step="0.0001"
      min={-limit}
      max={limit}
      label={label}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
