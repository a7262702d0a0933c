import { ActionIcon, Skeleton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { kindLabels } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type KnownFeature, knownOf } from '#domain/features/known-feature.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { useMay } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { MoreBelow } from '#web/ui/more-below.tsx'
import { tip } from '#web/ui/tips.tsx'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './detail-panel.module.css'
import { FeatureFacts } from './feature-facts.tsx'
import { HiddenMetadata } from './metadata.tsx'
import { ShapeIcon } from './shape-icon.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

// Only staff ever need it.
const StatusControl = lazyPart(() => import('./status-control.tsx').then((module) => module.StatusControl))

/** What a part that edits in place has to work with. */
export type EditingSlot = {
  feature: FeatureDetail
  /** The head of the panel, with these controls in it. */
  header(controls: ReactNode): ReactNode
  /** One of them; null where the feature has no status. */
  status: ReactNode
  facts: ReactNode
}

type DetailPanelProps = {
  mapId: string
  id: string
  /** What the list or the map said of it; null where it is known by its id alone. */
  known: KnownFeature | null
  /** How the map beside it paints what is selected. */
  look?: 'types' | 'shapes'
  onClose(): void
  /** Selects another feature, the parcel on which this one lies. */
  onSelect(id: string): void
  /** For who may edit: shows the details, or a form in their place. */
  editing?: ((slot: EditingSlot) => ReactNode) | undefined
}

/** Everything that is known of the selected item. */
export function DetailPanel(props: DetailPanelProps) {
  const { mapId, id, look = 'types', known, onClose, onSelect, editing } = props
  const detail = useQuery(featureDetailQuery(mapId, id))
  const shown = detail.data ? knownOf(detail.data) : known
  const headingRef = useRef<HTMLHeadingElement>(null)
  // 400: what the address selects is no id at all.
  const isMissing = detail.error instanceof RequestError && [400, 404].includes(detail.error.status)

  // A screen reader is told what was selected; the focus stays where it is.
  const announcement = shown?.name === undefined ? '' : `Selected: ${shown.name || 'Untitled'}`
  useEffect(() => {
    headingRef.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return (
    <section className={classes.panel} aria-label="Details">
      <div className={classes.close}>
        <ActionIcon
          {...tip('Close (Esc)')}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Close details"
          onClick={onClose}
        >
          <IconX size={18} />
        </ActionIcon>
      </div>
      <p className={classes.announcement} role="status">
        {announcement}
      </p>
      {detail.isPending && (
        <div className={classes.content}>
          {shown && <DetailHeader shown={shown} look={look} headingRef={headingRef} controls={null} />}
          {shown && <KnownFacts {...shown} />}
          <DetailSkeleton />
        </div>
      )}
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
          <Known
            feature={detail.data}
            look={look}
            headingRef={headingRef}
            editing={editing}
            onSelect={onSelect}
          />
        </div>
      )}
      {detail.data && <MoreBelow />}
    </section>
  )
}

type KnownProps = Pick<DetailPanelProps, 'editing' | 'onSelect'> & {
  feature: FeatureDetail
  look: 'types' | 'shapes'
  headingRef: React.Ref<HTMLHeadingElement>
}

/** The details once they are there. */
function Known({ feature, look, headingRef, editing, onSelect }: KnownProps) {
  const { mapId, version } = feature
  const shown = knownOf(feature)
  const { id, name = '', status } = shown
  const mayEdit = useMay('editor', mapId)
  const statusControl = mayEdit && status !== null && (
    <Guard what="The change of status" layout="inline" waiting={null}>
      <StatusControl mapId={mapId} subject={{ id, name: name || 'Untitled', status, version }} />
    </Guard>
  )
  const header = (controls: ReactNode) => (
    <DetailHeader shown={shown} look={look} headingRef={headingRef} controls={controls} />
  )
  const isDefined = feature.kind in definitions
  const facts = (
    <>
      {isDefined ? <FeatureFacts feature={feature} onSelect={onSelect} /> : <p>No details available</p>}
      <HiddenMetadata feature={feature} />
    </>
  )
  const plain = (
    <>
      {header(statusControl)}
      {facts}
    </>
  )
  if (!editing || !isDefined) return plain
  return (
    <Guard what="What edits" layout="panel" subject={id} waiting={plain}>
      {editing({ feature, header, status: statusControl, facts })}
    </Guard>
  )
}

type DetailHeaderProps = {
  shown: KnownFeature
  look: 'types' | 'shapes'
  headingRef: React.Ref<HTMLHeadingElement>
  controls: ReactNode
}

function DetailHeader({ shown, look, headingRef, controls }: DetailHeaderProps) {
  const { kind, shape, type, status, severity } = shown
  // A newer server may know kinds that this page does not.
  const isKnown = kind in kindLabels
  const name = shown.name || 'Untitled'
  return (
    <header className={classes.header}>
      {isKnown && look === 'types' && (
        <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} isSelected size={32} />
      )}
      {isKnown && look === 'shapes' && <ShapeIcon kind={kind} shape={shape} size={32} />}
      <div>
        <p className={classes.kind}>
          {isKnown ? kindLabels[kind].one : 'Item'}
          {isKnown && type !== null && ` · ${typeLabel(kind, type)}`}
        </p>
        {shown.name === undefined ? <Skeleton height={20} width={220} /> : <h2 ref={headingRef}>{name}</h2>}
        {/* Among the facts, too, for which there may be no room. */}
        <p className={classes.brief}>
          {status !== null && <StatusBadge status={status} />}
          {kind === 'incident' && <SeverityBadge severity={severity} />}
        </p>
      </div>
      {controls && <div className={classes.controls}>{controls}</div>}
    </header>
  )
}

/** What is known before the details are there, in their order. */
function KnownFacts({ kind, description, status, severity }: KnownFeature) {
  return (
    <>
      {description !== undefined && <Prose>{description}</Prose>}
      <FactList>
        {status !== null && (
          <Fact label="Status">
            <StatusBadge status={status} />
          </Fact>
        )}
        {kind === 'incident' && (
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
