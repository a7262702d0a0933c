import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { FileOfFeature, PhotoArea } from '#domain/files/file.schema.ts'
import { fileAddress } from '#web/api/files.api.ts'
import { useHasFinger } from '#web/ui/device.ts'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { addedArea, areaBetween, areaByKey, type Point } from './photo-areas.ts'
import classes from './redact-photo.module.css'
import type { FileChanges } from './use-file-changes.ts'

type RedactPhotoProps = { mapId: string; file: FileOfFeature; changes: FileChanges; onClose(): void }

/** Rectangles are drawn with a mouse or a finger, or added by a button and moved with the arrow keys. */
export function RedactPhoto({ mapId, file, changes, onClose }: RedactPhotoProps) {
  const [areas, setAreas] = useState<readonly PhotoArea[]>([])
  const [from, setFrom] = useState<Point | null>(null)
  const [drawn, setDrawn] = useState<PhotoArea | null>(null)
  const photo = useRef<HTMLDivElement>(null)
  const { redacting } = changes
  const hasFinger = useHasFinger()

  function pointOf({ clientX, clientY }: PointerEvent): Point {
    const box = photo.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
  }
  function begin(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0 || (event.target as HTMLElement).closest('button')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setFrom(pointOf(event))
  }
  function end() {
    if (drawn) setAreas([...areas, drawn])
    setFrom(null)
    setDrawn(null)
  }
  function onKey(event: KeyboardEvent, index: number) {
    const area = areas[index]
    const changed = area && areaByKey(area, event)
    if (changed === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setAreas(changed === null ? areas.toSpliced(index, 1) : areas.with(index, changed))
  }
  return (
    <div className={classes.panel}>
      <p id="redact-help" className={classes.help}>
        Draw over faces, license plates and other private details.
        {!hasFinger &&
          ' With the keyboard: add an area, move it with the arrow keys, resize it with Shift and the arrow keys, and remove it with Delete.'}
      </p>
      <div
        ref={photo}
        className={classes.photo}
        onPointerDown={begin}
        onPointerMove={(event) => from && setDrawn(areaBetween(from, pointOf(event)))}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <img
          src={fileAddress(mapId, file.id, 'large')}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          alt={file.caption || 'The photo'}
          draggable={false}
        />
        {areas.map((area, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: areas have no other identity.
            key={index}
            type="button"
            className={classes.area}
            style={styleOf(area)}
            aria-label={`Black area ${index + 1}: ${inWords(area)}`}
            aria-describedby="redact-help"
            onKeyDown={(event) => onKey(event, index)}
          />
        ))}
        {drawn && <span className={classes.area} style={styleOf(drawn)} />}
      </div>
      <FormFooter failure={redacting.error?.message}>
        <SmallButton icon={IconPlus} onClick={() => setAreas([...areas, addedArea])}>
          Add area
        </SmallButton>
        <SmallButton disabled={areas.length === 0} onClick={() => setAreas(areas.slice(0, -1))}>
          Remove last
        </SmallButton>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={redacting.isPending}
          disabled={areas.length === 0}
          onClick={() => redacting.mutate({ file, areas }, { onSuccess: onClose })}
        >
          Black out
        </Button>
      </FormFooter>
    </div>
  )
}

const percent = (value: number) => `${value * 100}%`

const styleOf = ({ x, y, width, height }: PhotoArea) => ({
  left: percent(x),
  top: percent(y),
  width: percent(width),
  height: percent(height),
})

const inWords = ({ x, y, width, height }: PhotoArea) => {
  const [left, top, wide, high] = [x, y, width, height].map((value) => Math.round(value * 100))
  return `${wide} by ${high} percent, ${left} percent from the left and ${top} from the top`
}
