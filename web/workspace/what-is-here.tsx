import { ActionIcon, Button, CopyButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef } from 'react'
import { kindLabels } from '#domain/definition/kinds.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import { pinnedKinds } from '#domain/features/kind-traits.ts'
import type { MapClick } from '#web/map/map-view.tsx'
import { formatPlace } from '#web/ui/measures.ts'
import type { RecordStart } from './placing.ts'
import classes from './what-is-here.module.css'
import { WhatIsHereList } from './what-is-here-list.tsx'

type WhatIsHereProps = {
  mapId: string
  click: MapClick
  isChooser: boolean
  filter: FilterQuery
  onSelect(feature: FeaturePreview): void
  onAdd: ((start: RecordStart) => void) | undefined
  onClose(): void
}

export function WhatIsHere(props: WhatIsHereProps) {
  const { mapId, click, isChooser, filter, onSelect, onAdd, onClose } = props
  const cardRef = useRef<HTMLDivElement>(null)
  useEffect(() => void cardRef.current?.focus(), [])
  const title = isChooser ? 'Which one?' : 'What is here'
  const { x, y } = click.point
  const card = (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Escape closes the dialog from any element in it
    <div
      ref={cardRef}
      className={classes.card}
      style={{ marginLeft: `clamp(0px, ${x - 8}px, 100% - 260px)` }}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && event.target === cardRef.current) {
          event.preventDefault()
          cardRef.current.querySelector<HTMLElement>('[data-index="0"] button')?.focus()
        }
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <header>
        <h2>{title}</h2>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Close" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      {!isChooser && (
        <p className={classes.place}>
          {formatPlace(click.lngLat)}
          <CopyButton value={formatPlace(click.lngLat)}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </p>
      )}
      {click.hits.length > 0 && (
        <WhatIsHereList mapId={mapId} hits={click.hits} filter={filter} onSelect={onSelect} />
      )}
      {!isChooser && click.hits.length === 0 && (
        <p className={classes.none}>
          {click.isDataLoaded
            ? 'Nothing on the map here.'
            : 'The map is still loading. Try again in a moment.'}
        </p>
      )}
      {!isChooser && onAdd && (
        <footer className={classes.add}>
          {pinnedKinds.map((kind) => (
            <Button
              key={kind}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={() => {
                const { lng, lat } = click.lngLat
                onAdd({ kind, geometry: { type: 'Point', coordinates: [lng, lat] } })
                onClose()
              }}
            >
              {kindLabels[kind].one} here
            </Button>
          ))}
        </footer>
      )}
    </div>
  )
  return (
    <div
      className={classes.frame}
      style={{ '--above': `${y - 8}px` } as CSSProperties}
      data-above={y > 260 || undefined}
    >
      {card}
    </div>
  )
}
