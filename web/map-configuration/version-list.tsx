import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { configurationChanges, configurationFields } from '#domain/map-configuration/configuration-changes.ts'
import type { ConfigurationVersion } from '#domain/map-configuration/map-configuration.schema.ts'
import { configurationVersionsQuery } from '#web/api/map-configuration.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { changeText, fieldLabels, textOf } from './configuration-text.ts'
import type { ConfigurationDraft } from './use-configuration-draft.ts'
import classes from './version-list.module.css'

type VersionsProps = { draft: ConfigurationDraft; isRestoring: boolean; onRestore(version: number): void }
type VersionListProps = VersionsProps & { isOpen: boolean; onToggle(isOpen: boolean): void }

export function VersionList({ isOpen, onToggle, ...props }: VersionListProps) {
  const isStaff = useMay('staff', props.draft.mapId)
  const sectionRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) sectionRef.current?.scrollIntoView()
  }, [isOpen])
  if (!isStaff) return null
  return (
    <section ref={sectionRef} className={classes.versions} aria-label="Versions">
      <Disclosure label="Versions" look="title" isOpen={isOpen} onToggle={onToggle}>
        <Versions {...props} />
      </Disclosure>
    </section>
  )
}

function Versions({ draft, isRestoring, onRestore }: VersionsProps) {
  const versions = useInfiniteQuery(configurationVersionsQuery(draft.mapId))
  const failure = loadFailure(versions, 'Could not load the versions.')
  if (failure) return failure
  if (!versions.data) return <LoadingRows label="Loading versions" />
  const items = versions.data.pages.flatMap((page) => page.items)
  if (items.length === 0)
    return <EmptyState text="No versions yet: the first is created when you apply settings." />
  return (
    <>
      <ol className={classes.list}>
        {items.map((item) => (
          <li key={item.version} className={classes.version}>
            <VersionText item={item} isCurrent={item.version === draft.current.version} />
            {!draft.isReadOnly && item.version !== draft.current.version && (
              <SmallButton
                disabled={isRestoring}
                aria-label={`Restore version ${item.version}`}
                onClick={() => onRestore(item.version)}
              >
                Restore
              </SmallButton>
            )}
          </li>
        ))}
      </ol>
      {versions.hasNextPage && (
        <SmallButton loading={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>
          Show earlier
        </SmallButton>
      )}
    </>
  )
}

function VersionText({ item, isCurrent }: { item: ConfigurationVersion; isCurrent: boolean }) {
  const texts = versionTexts(item)
  return (
    <div className={classes.text}>
      <p>
        <b>Version {item.version}</b>
        {isCurrent && ' (current)'} · {item.appliedBy ?? 'the system'} ·{' '}
        <time dateTime={item.appliedAt} title={exactTime(item.appliedAt)}>
          {relativeTime(item.appliedAt)}
        </time>
      </p>
      {item.restoredFrom !== null && <p>Restored from version {item.restoredFrom}</p>}
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

function versionTexts({ previous, configuration }: ConfigurationVersion): string[] {
  if (!configuration) return ['Settings reset to defaults']
  if (!previous)
    return configurationFields.map((field) => `${fieldLabels[field]}: ${textOf(field, configuration)}`)
  const changes = configurationChanges(previous, configuration)
  return changes.length > 0 ? changes.map(changeText) : ['No changes']
}
