import { ActionIcon, Button, CopyButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { kindLabels } from '#domain/definition/kinds.ts'
import { type KnownFeature, knownOf } from '#domain/features/known-feature.ts'
import { featureDetailQuery, findSummary } from '#web/api/features.api.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import type { MapClick } from '#web/map/map-view.tsx'
import { formatPlace } from '#web/ui/measures.ts'
import type { RecordStart } from './placing.ts'
import classes from './what-is-here.module.css'

const mostShown = 20

type WhatIsHereProps = {
  mapId: string
  click: MapClick
  /** Several features of one rank lie under a click: which one is meant? Otherwise a place was asked about. */
  isChooser: boolean
  onSelect(feature: KnownFeature): void
  /** For who may add records. */
  onAdd: ((start: RecordStart) => void) | undefined
  onClose(): void
}

export function WhatIsHere(props: WhatIsHereProps) {
  const { mapId, click, isChooser, onSelect, onAdd, onClose } = props
  const shown = click.hits.slice(0, mostShown)
  const client = useQueryClient()
  const known = shown.map((hit) => ({ ...hit, ...findSummary(client, mapId, hit.id) }))
  const details = useQueries({
    queries: known.map(({ id, name }) => ({
      ...featureDetailQuery(mapId, id),
      enabled: name === undefined,
    })),
  })
  const cardRef = useRef<HTMLDivElement>(null)
  // The keyboard goes on in the card, and the screen reader reads it.
  useEffect(() => void cardRef.current?.focus(), [])
  const title = isChooser ? 'Which one?' : 'What is here'
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Esc closes a dialog, wherever in it the keyboard is.
    <div
      ref={cardRef}
      className={classes.card}
      style={{ left: `clamp(8px, ${click.point.x}px, calc(100% - 268px))`, top: click.point.y }}
      data-above={click.point.y > 260 || undefined}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
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
      {shown.length > 0 && (
        <ul>
          {known.map((hit, index) => {
            const detail = details[index]?.data
            const feature = detail ? knownOf(detail) : hit
            const { id, kind, type, status, name } = feature
            return (
              <li key={id}>
                <button type="button" onClick={() => onSelect(feature)}>
                  <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={20} />
                  {name === undefined ? kindLabels[kind].one : name || 'Untitled'}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {click.hits.length > shown.length && <p>and {click.hits.length - shown.length} more, in the list.</p>}
      {!isChooser && shown.length === 0 && (
        <p className={classes.none}>
          {click.isDataLoaded
            ? 'Nothing on the map here.'
            : 'The map is still loading. Try again in a moment.'}
        </p>
      )}
      {!isChooser && onAdd && (
        <footer className={classes.add}>
          {(['incident', 'asset'] as const).map((kind) => (
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
}
