import { ActionIcon } from '@mantine/core'
import { IconCurrentLocation, IconHome, IconMinus, IconPlus, IconStack2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { LegendBody, LegendFrame } from '#web/features/legend-frame.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useIsPrinting } from '#web/ui/printing.ts'
import { tip } from '#web/ui/tips.tsx'
import { type BaseMapChoiceProps, BaseMapSwitch } from './base-map-switch.tsx'
import classes from './map-controls.module.css'
import type { Locating } from './use-locating.ts'

const MapContentsSheet = lazyPart(() =>
  import('./map-contents-sheet.tsx').then((module) => module.MapContentsSheet),
)

type MapContentsProps = BaseMapChoiceProps & { legend: ReactNode }

/** Base maps at the top right (section 2 of the specification). On phones, one button opens both. */
export function MapContents(props: MapContentsProps) {
  const isPhone = useIsPhone()
  const [isOpen, setIsOpen] = useState(false)
  const { legend, ...baseMaps } = props
  if (useIsPrinting())
    return (
      legend && (
        <div className={classes.printed} data-print>
          <LegendBody>{legend}</LegendBody>
        </div>
      )
    )
  if (!isPhone)
    return (
      <>
        <div className={classes.baseMaps}>
          <BaseMapSwitch {...baseMaps} />
        </div>
        {legend && (
          <div className={classes.legend}>
            <LegendFrame>{legend}</LegendFrame>
          </div>
        )}
      </>
    )
  const label = legend ? 'Base map and legend' : 'Base map'
  return (
    <>
      <ActionIcon
        className={classes.contents}
        variant="default"
        size={44}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <IconStack2 size={20} />
      </ActionIcon>
      {isOpen && (
        <Guard what={label} layout="dialog" onClose={() => setIsOpen(false)}>
          <MapContentsSheet {...props} label={label} onClose={() => setIsOpen(false)} />
        </Guard>
      )}
    </>
  )
}

type ViewButtonsProps = {
  onZoom(levels: number): void
  onHome: (() => void) | undefined
  locating: Locating
}

/** Section 2 of the specification: zoom at the bottom right; home above it. */
export function ViewButtons({ onZoom, onHome, locating }: ViewButtonsProps) {
  return (
    <div className={classes.view}>
      <ActionIcon
        {...tip('Show my location', 'left')}
        variant={locating.isFollowing ? 'filled' : 'default'}
        size={36}
        aria-label="Show my location"
        aria-pressed={locating.isFollowing}
        loading={locating.isSearching}
        onClick={locating.toggle}
      >
        <IconCurrentLocation size={18} />
      </ActionIcon>
      {onHome && (
        <ActionIcon
          {...tip('Zoom to all land (H)', 'left')}
          variant="default"
          size={36}
          aria-label="Zoom to all land"
          onClick={onHome}
        >
          <IconHome size={18} />
        </ActionIcon>
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
