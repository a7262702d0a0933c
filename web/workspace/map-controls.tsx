import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { IconHome, IconMinus, IconPlus } from '@tabler/icons-react'
import { type BaseMap, baseMapLabels, baseMaps } from '#domain/map-configuration/map-constants.ts'
import classes from './map-controls.module.css'

type BaseMapButtonsProps = { offered: readonly BaseMap[]; value: BaseMap; onChange(baseMap: BaseMap): void }

/** Section 2 of the specification: at the top right. */
export function BaseMapButtons({ offered, value, onChange }: BaseMapButtonsProps) {
  const inOrder = baseMaps.filter((baseMap) => offered.includes(baseMap))
  return (
    <div className={classes.baseMaps}>
      <SegmentedControl
        aria-label="Base map"
        size="sm"
        value={value}
        data={inOrder.map((baseMap) => ({ value: baseMap, label: baseMapLabels[baseMap] }))}
        onChange={onChange}
      />
    </div>
  )
}

type ViewButtonsProps = { onZoom(levels: number): void; onHome: (() => void) | undefined }

/** Section 2 of the specification: zoom at the bottom right; home above it. */
export function ViewButtons({ onZoom, onHome }: ViewButtonsProps) {
  return (
    <div className={classes.view}>
      {onHome && (
        <Tooltip label="Show all of the land (H)" position="left">
          <ActionIcon variant="default" size={36} aria-label="Show all of the land" onClick={onHome}>
            <IconHome size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      <div className={classes.zoom}>
        <ActionIcon variant="default" size={36} aria-label="Zoom in" onClick={() => onZoom(1)}>
          <IconPlus size={18} />
        </ActionIcon>
        <ActionIcon variant="default" size={36} aria-label="Zoom out" onClick={() => onZoom(-1)}>
          <IconMinus size={18} />
        </ActionIcon>
      </div>
    </div>
  )
}
