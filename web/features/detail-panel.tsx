import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type FeatureStatus, kindLabels } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { layerOfFeature } from '#domain/features/layer-of-feature.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { useMay } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { MoreBelow } from '#web/ui/more-below.tsx'
import classes from './detail-panel.module.css'
import { FeatureFacts } from './feature-facts.tsx'
import { HiddenMetadata } from './metadata.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

// Only staff ever need it.
const StatusControl = lazyPart(() => import('./status-control.tsx').then((module) => module.StatusControl))

type DetailPanelProps = {
  mapId: string
  id: string
  onClose(): void
  /** Selects another feature, the parcel on which this one lies. */
  onSelect(id: string): void
}

/** Everything that is known of the selected item. */
export function DetailPanel({ mapId, id, onClose, onSelect }: DetailPanelProps) {
  const detail = useQuery(featureDetailQuery(mapId, id))
  const headingRef = useRef<HTMLHeadingElement>(null)
  // 400: what the address selects is no id at all.
  const isMissing = detail.error instanceof RequestError && [400, 404].includes(detail.error.status)

  // A screen reader is told what was selected; the focus stays where it is.
  const announcement = detail.data ? `Selected: ${nameOf(detail.data)}` : ''
  useEffect(() => {
    headingRef.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return (
    <section className={classes.panel} aria-label="Details">
      <div className={classes.close}>
        <Tooltip label="Close (Esc)">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close details" onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
      <p className={classes.announcement} role="status">
        {announcement}
      </p>
      {detail.isPending && <DetailSkeleton />}
      {isMissing && (
        <div className={classes.message}>
          <h2 ref={headingRef}>No longer here</h2>
          <p>This item is not on the map any more, or the link to it is wrong.</p>
        </div>
      )}
      {detail.isError && !isMissing && !detail.data && (
        <ErrorState
          title="The details could not be loaded."
          error={detail.error}
          onRetry={() => detail.refetch()}
        />
      )}
      {detail.data && (
        <div className={classes.content}>
          <DetailHeader detail={detail.data} headingRef={headingRef} />
          {detail.data.kind in definitions ? (
            <FeatureFacts feature={detail.data} onSelect={onSelect} />
          ) : (
            <p>No details available</p>
          )}
          <HiddenMetadata feature={detail.data} />
        </div>
      )}
      {detail.data && <MoreBelow />}
    </section>
  )
}

function nameOf(detail: FeatureDetail): string {
  return (detail.kind === 'incident' ? detail.title : detail.name) || 'Untitled'
}

function statusOf(detail: FeatureDetail): FeatureStatus | null {
  if (detail.kind === 'parcel') return null
  if (detail.kind !== 'incident') return detail.status
  return detail.resolved ? 'resolved' : 'unresolved'
}

function DetailHeader({
  detail,
  headingRef,
}: {
  detail: FeatureDetail
  headingRef: React.Ref<HTMLHeadingElement>
}) {
  // A newer server may know kinds that this page does not.
  const layer = detail.kind in definitions ? layerOfFeature(detail) : null
  const isResolved = detail.kind === 'incident' && detail.resolved
  const mayEdit = useMay('editor', detail.mapId)
  const status = statusOf(detail)
  return (
    <header className={classes.header}>
      {layer && <TypeIcon {...layer} isResolved={isResolved} isSelected size={32} />}
      <div>
        <p className={classes.kind}>
          {layer ? kindLabels[layer.kind].one : 'Item'}
          {layer && layer.type !== null && ` · ${typeLabel(layer.kind, layer.type)}`}
        </p>
        <h2 ref={headingRef}>{nameOf(detail)}</h2>
      </div>
      {mayEdit && status !== null && (
        <Guard what="The change of status" layout="inline" waiting={null}>
          <StatusControl
            mapId={detail.mapId}
            subject={{ id: detail.id, name: nameOf(detail), status, version: detail.version }}
          />
        </Guard>
      )}
    </header>
  )
}

function DetailSkeleton() {
  return (
    <div className={classes.content} role="status" aria-label="Loading details">
      <Skeleton height={20} width="40%" />
      <Skeleton height={12} width="80%" mt={16} />
      <Skeleton height={12} width="70%" mt={8} />
      <Skeleton height={12} width="75%" mt={8} />
    </div>
  )
}
