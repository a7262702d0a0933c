import { Slider } from '@mantine/core'
import { maxZoom, minZoom } from '#domain/map-configuration/map-constants.ts'
import classes from './configuration-panel.module.css'
import { DegreesInput, FieldGroup, type FieldsProps, UseCurrentView } from './field-group.tsx'
import { candidateOf, centerValues, type FormValues, previewOf } from './form-values.ts'

export function PositionFields({ draft, viewport, problemOf, onShowCamera }: FieldsProps) {
  const { values } = draft
  function change(changed: Partial<FormValues>) {
    draft.set(changed)
    const { center } = previewOf(candidateOf({ ...values, ...changed }))
    if (center) onShowCamera({ ...center, zoom: changed.startZoom ?? values.startZoom })
  }
  return (
    <FieldGroup
      title="Position"
      action={
        <UseCurrentView
          for="position"
          isReady={viewport !== null}
          onUse={() =>
            viewport &&
            draft.set({
              ...centerValues(viewport.camera),
              startZoom: Number(viewport.camera.zoom.toFixed(2)),
            })
          }
        />
      }
    >
      <div className={classes.pair}>
        <DegreesInput
          label="Latitude"
          limit={90}
          value={values.lat}
          error={problemOf('center.lat')}
          onChange={(lat) => change({ lat })}
        />
        <DegreesInput
          label="Longitude"
          limit={180}
          value={values.lng}
          error={problemOf('center.lng')}
          onChange={(lng) => change({ lng })}
        />
      </div>
      <div className={classes.slider}>
        <div className={classes.sliderLabel}>
          <span>Zoom</span>
          <output>{Number(values.startZoom.toFixed(2))}</output>
        </div>
        <Slider
          min={minZoom}
          max={maxZoom}
          step={1}
          value={values.startZoom}
          marks={[1, 5, 10, 14, 18].map((value) => ({ value, label: value }))}
          thumbLabel="Zoom"
          label={null}
          disabled={draft.isReadOnly}
          onChange={(startZoom) => change({ startZoom })}
        />
      </div>
    </FieldGroup>
  )
}
