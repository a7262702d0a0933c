import { ActionIcon, Button, CopyButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { kindLabels } from '#domain/definition/kinds.ts'
import { type FeaturePreview, previewOf } from '#domain/features/feature-preview.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import { pinnedKinds } from '#domain/features/kind-traits.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { coLocatedQuery, featureDetailQuery } from '#web/api/features.api.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import type { Hit } from '#web/map/hits.ts'
import type { MapClick } from '#web/map/map-view.tsx'
import { textScale } from '#web/ui/device.ts'
import { formatPlace } from '#web/ui/measures.ts'
import type { RecordStart } from './placing.ts'
import classes from './what-is-here.module.css'

type WhatIsHereProps = {
  mapId: string
  click: MapClick
  isChooser: boolean
  filter: FilterQuery
  onSelect(feature: FeaturePreview): void
  onAdd: ((start: RecordStart) => void) | undefined
  onReport: ((place: LatLng) => void) | undefined
  onClose(): void
}

export function WhatIsHere(props: WhatIsHereProps) {
  const { mapId, click, isChooser, filter, onSelect, onAdd, onReport, onClose } = props
  const cardRef = useRef<HTMLDivElement>(null)
  useEffect(() => void cardRef.current?.focus(), [])
  const title = isChooser ? 'Select a feature' : 'At this location'
  const { x, y } = click.point
  const card = (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Escape closes the dialog from any element in it
    <div
      ref={cardRef}
      className={classes.card}
      style={{ marginLeft: `clamp(0px, ${x - 8}px, 100% - 16.25rem)` }}
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
          {click.isDataLoaded ? 'No features here.' : 'The map is still loading. Try again in a moment.'}
        </p>
      )}
      {!isChooser && onReport && (
        <footer className={classes.add}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onReport(click.lngLat)
              onClose()
            }}
          >
            Report a problem here
          </Button>
        </footer>
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

const rowHeight = 36
const rowsPerScreen = 5
const rowsAhead = 20

type WhatIsHereListProps = {
  mapId: string
  hits: readonly Hit[]
  filter: FilterQuery
  onSelect(feature: FeaturePreview): void
}

function WhatIsHereList({ mapId, hits, filter, onSelect }: WhatIsHereListProps) {
  const single = hits.filter(({ count }) => count === 1)
  const shared = hits.filter(({ count }) => count > 1)
  const list = useInfiniteQuery({ ...coLocatedQuery(mapId, shared, filter), enabled: shared.length > 0 })
  const pages = list.data?.pages
  const features = uniqueById([...single, ...(pages?.flatMap(({ items }) => items) ?? shared)])
  const totalOf = ({ id, count }: Hit) => pages?.find(({ at }) => at === id)?.total ?? count
  const total = hits.reduce((sum, hit) => sum + totalOf(hit), 0)

  const scrollRef = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(-1)
  const virtualizer = useVirtualizer({
    count: features.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight * textScale(),
    getItemKey: (index) => features[index]?.id ?? index,
    overscan: rowsPerScreen,
    // Keeps the focused row mounted.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(features[active] ? [active] : [])])].sort(
        (a, b) => a - b,
      ),
  })
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= features.length - rowsAhead
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, isError, fetchNextPage])

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + rowsPerScreen,
      PageUp: active - rowsPerScreen,
      Home: 0,
      End: features.length - 1,
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(features.length - 1, move))
    flushSync(() => setActive(next))
    scrollRef.current?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus()
  }

  return (
    <>
      {total > 1 && <p className={classes.count}>{counted(total, 'feature')}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons in it */}
      <div ref={scrollRef} className={classes.scroll} onKeyDown={onKeyDown}>
        <ul style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ key, index, start }) => {
            const feature = features[index]
            if (!feature) return null
            return (
              <li
                key={key}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={total}
                aria-posinset={index + 1}
                onFocus={() => setActive(index)}
              >
                <FeatureButton mapId={mapId} feature={feature} onSelect={onSelect} />
              </li>
            )
          })}
        </ul>
      </div>
      {isError && (
        <p className={classes.none}>
          Could not load all features.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void (pages ? fetchNextPage() : list.refetch())}
          >
            Try again
          </Button>
        </p>
      )}
    </>
  )
}

function uniqueById(features: readonly FeaturePreview[]): FeaturePreview[] {
  return [...new Map(features.map((feature) => [feature.id, feature])).values()]
}

type FeatureButtonProps = Pick<WhatIsHereListProps, 'mapId' | 'onSelect'> & { feature: FeaturePreview }

/** Tiles contain no names. */
function FeatureButton({ mapId, feature, onSelect }: FeatureButtonProps) {
  const detail = useQuery({
    ...featureDetailQuery(mapId, feature.id),
    enabled: feature.name === undefined,
  })
  const named = feature.name === undefined && detail.data ? previewOf(detail.data) : feature
  const { kind, type, status, name } = named
  return (
    <button type="button" onClick={() => onSelect(named)}>
      <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={20} />
      <span className={classes.name}>{name === undefined ? kindLabels[kind].one : name || 'Untitled'}</span>
    </button>
  )
}
