import { Anchor, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import type { ReportForm } from '#domain/reports/report-settings.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { similarIncidentsQuery } from '#web/api/reports.api.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { type DeviceLocation, readDeviceLocation } from '#web/ui/device-location.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { NoticeText, StepForm } from './report-form-parts.tsx'
import classes from './report-panel.module.css'

/** Worse than this, the reporter has to move the map. */
const roughMeters = 50

/** A printed code on an asset leads here. */
export function useAsset(mapId: string, assetId: string | null, onMove: (place: LatLng) => void) {
  const { data } = useQuery({ ...featureDetailQuery(mapId, assetId ?? ''), enabled: assetId !== null })
  const move = useEffectEvent(onMove)
  const { lat, lng } = data?.location ?? {}
  useEffect(() => {
    if (lat !== undefined && lng !== undefined) move({ lat, lng })
  }, [lat, lng])
  return data?.kind === 'asset' ? { id: data.id, name: data.name } : null
}

/** The device looks for its location while the photo is taken. */
export function useLocationOfDevice(isWanted: boolean, onMove: (place: LatLng) => void) {
  const [found, setFound] = useState<DeviceLocation | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const move = useEffectEvent(onMove)
  function request() {
    readDeviceLocation({
      onLocation(location) {
        setFound(location)
        setProblem(null)
        move(location)
      },
      onProblem: setProblem,
    })
  }
  const begin = useEffectEvent(request)
  useEffect(() => {
    if (isWanted) begin()
  }, [isWanted])
  return { found, problem, request }
}

type PlaceStepProps = {
  mapId: string
  /** Center of the map. */
  center: LatLng | null
  form: ReportForm | null
  asset: ReturnType<typeof useAsset>
  location: ReturnType<typeof useLocationOfDevice>
  onChoose(type: IncidentType): void
  onBack(): void
}

const restMs = 400

export function PlaceStep({ mapId, form, asset, center, location, onChoose, onBack }: PlaceStepProps) {
  const [rested] = useDebouncedValue(center, restMs)
  const similar = useQuery({
    ...similarIncidentsQuery(mapId, rested ?? { lat: 0, lng: 0 }),
    enabled: rested !== null,
  })
  const { found, problem, request } = location
  const where = asset?.name ?? similar.data?.where
  return (
    <StepForm onBack={onBack}>
      <p>
        Move the map until the cross is at the problem
        <span role="status">
          {where ? (
            <>
              : <b>{where}</b>
            </>
          ) : (
            similar.data && ': not on a parcel'
          )}
        </span>
        .{' '}
        {found && (
          <span>
            {found.accuracyMeters > roughMeters
              ? `Your location is only accurate to ${Math.round(found.accuracyMeters)} m.`
              : `Your location is accurate to ${Math.round(found.accuracyMeters)} m.`}
          </span>
        )}{' '}
        <Anchor component="button" type="button" onClick={request}>
          <IconCurrentLocation size={14} aria-hidden="true" /> Use my location
        </Anchor>
      </p>
      {problem && !found && <p className={classes.dimmed}>{problem}</p>}
      <fieldset className={classes.types}>
        <legend>What is the problem?</legend>
        {!form && <LoadingRows label="Loading types" />}
        {form?.types.map(({ type, label }) => (
          <Button
            key={type}
            variant="default"
            size="md"
            px="sm"
            justify="flex-start"
            disabled={center === null}
            leftSection={<TypeIcon kind="incident" type={type} size={24} />}
            onClick={() => onChoose(type)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <p className={classes.dimmed}>
        <NoticeText text="In an emergency, call 911 first." />
      </p>
    </StepForm>
  )
}
