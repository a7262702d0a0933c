import type { ReactNode } from 'react'
import { useId } from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { MapViewport } from '#web/map/map-view.tsx'
import classes from './configuration-panel.module.css'
import type { ConfigurationDraft } from './use-configuration-draft.ts'

export type ConfigurationPanelProps = {
  draft: ConfigurationDraft
  /** Null until the map is loaded. */
  viewport: MapViewport | null
  hasParcels: boolean
  areVersionsOpen: boolean
  onShowVersions(areOpen: boolean): void
  onShowCamera(camera: LatLng & { zoom: number }): void
  onShowExtent(extent: Bounds): void
}

export type FieldsProps = ConfigurationPanelProps & { problemOf(path: string): string | undefined }

type FieldGroupProps = { title: string; action?: ReactNode; children: ReactNode }

/** A group of fields with an action beside its title. */
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
