import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type FeaturePreview, previewOf } from '#domain/features/feature-preview.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { useMay } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { MoreBelow } from '#web/ui/more-below.tsx'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import { DetailContent, DetailFrame, DetailHeader, DetailMessage } from './detail-frame.tsx'
import { FeatureFacts } from './feature-facts.tsx'
import { HiddenMetadata } from './metadata.tsx'

const StatusControl = lazyPart(() => import('./status-control.tsx').then((module) => module.StatusControl))

export type EditingSlot = {
  feature: FeatureDetail
  header(controls: ReactNode): ReactNode
  status: ReactNode
  facts: ReactNode
  /** Shown unless the record has unsaved changes; null while it exists. */
  missing: ReactNode
}

type DetailPanelProps = {
  mapId: string
  id: string
  preview: FeaturePreview | null
  styleName?: 'types' | 'shapes'
  onClose(): void
  onSelect(id: string): void
  editing?: ((slot: EditingSlot) => ReactNode) | undefined
  parts?: (feature: FeatureDetail) => ReactNode
}

export function DetailPanel(props: DetailPanelProps) {
  const { mapId, id, styleName = 'types', preview, onClose, onSelect, editing, parts } = props
  const detail = useQuery(featureDetailQuery(mapId, id))
  const shown = detail.data ? previewOf(detail.data) : preview
  // A record with unsaved changes stays when another user removes it.
  const [last, setLast] = useState(detail.data)
  if (detail.data && detail.data !== last) setLast(detail.data)
  const headingRef = useRef<HTMLHeadingElement>(null)
  // 400: the address contains an invalid id.
  const isMissing = detail.error instanceof RequestError && [400, 404].includes(detail.error.status)

  const announcement = shown?.name === undefined ? '' : `Selected: ${shown.name || 'Untitled'}`
  useEffect(() => {
    headingRef.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const feature = detail.data ?? (isMissing && last?.id === id ? last : undefined)
  const missing = (
    <DetailMessage title={last?.id === id ? 'No longer exists' : 'Not found'} headingRef={headingRef}>
      {last?.id === id
        ? `${previewOf(last).name || 'It'} was removed, or the change that added it was undone.`
        : 'It may have been removed, or the link may be wrong.'}
    </DetailMessage>
  )
  return (
    <DetailFrame announcement={announcement} onClose={onClose}>
      {detail.isPending && (
        <DetailContent>
          {shown && (
            <DetailHeader shown={shown} styleName={styleName} headingRef={headingRef} controls={null} />
          )}
          {shown && <PreviewFacts {...shown} />}
          <DetailSkeleton />
        </DetailContent>
      )}
      {detail.isError && !isMissing && !detail.data && (
        <ErrorState title="Could not load details." error={detail.error} onRetry={() => detail.refetch()} />
      )}
      {isMissing && last?.id !== id && missing}
      {feature && (
        <DetailContent>
          <LoadedDetails
            feature={feature}
            missing={isMissing ? missing : null}
            styleName={styleName}
            headingRef={headingRef}
            editing={editing}
            parts={parts}
            onSelect={onSelect}
          />
        </DetailContent>
      )}
      {detail.data && <MoreBelow />}
    </DetailFrame>
  )
}

type LoadedDetailsProps = Pick<DetailPanelProps, 'editing' | 'parts' | 'onSelect'> & {
  feature: FeatureDetail
  missing: ReactNode
  styleName: 'types' | 'shapes'
  headingRef: React.Ref<HTMLHeadingElement>
}

function LoadedDetails(props: LoadedDetailsProps) {
  const { feature, missing, styleName, headingRef, editing, parts, onSelect } = props
  const { mapId, version } = feature
  const shown = previewOf(feature)
  const { id, name = '', status } = shown
  const mayEdit = useMay('editor', mapId)
  const statusControl = mayEdit && status !== null && (
    <Guard what="The status control" layout="inline" waiting={null}>
      <StatusControl mapId={mapId} subject={{ id, name: name || 'Untitled', status, version }} />
    </Guard>
  )
  const header = (controls: ReactNode) => (
    <DetailHeader shown={shown} styleName={styleName} headingRef={headingRef} controls={controls} />
  )
  const isDefined = feature.kind in definitions
  const facts = (
    <>
      {isDefined ? <FeatureFacts feature={feature} onSelect={onSelect} /> : <p>No details available</p>}
      <HiddenMetadata feature={feature} />
      {parts?.(feature)}
    </>
  )
  const plain = (
    <>
      {header(statusControl)}
      {facts}
    </>
  )
  if (!editing || !isDefined) return missing ?? plain
  return (
    <Guard what="The form" layout="panel" subject={id} waiting={missing ?? plain}>
      {editing({ feature, header, status: statusControl, facts, missing })}
    </Guard>
  )
}

function PreviewFacts({ kind, description, status, severity }: FeaturePreview) {
  return (
    <>
      {description !== undefined && <Prose>{description}</Prose>}
      <FactList>
        {status !== null && (
          <Fact label="Status">
            <StatusBadge status={status} />
          </Fact>
        )}
        {kindTraits[kind]?.hasSeverity && (
          <Fact label="Severity">
            <SeverityBadge severity={severity} />
          </Fact>
        )}
      </FactList>
    </>
  )
}

function DetailSkeleton() {
  return (
    <div role="status" aria-label="Loading details">
      <Skeleton height={12} width="80%" mt={16} />
      <Skeleton height={12} width="70%" mt={8} />
      <Skeleton height={12} width="75%" mt={8} />
    </div>
  )
}
