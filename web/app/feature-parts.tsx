import type { ReactNode } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const FeatureFiles = lazyPart(() =>
  import('#web/files/feature-files.tsx').then((module) => module.FeatureFiles),
)
// Only editors ever need it.
const EditableFiles = lazyPart(() => import('./editable-files.tsx').then((module) => module.EditableFiles))
// Only staff ever need it.
const MaintenanceWithFiles = lazyPart(() =>
  import('./maintenance-with-files.tsx').then((module) => module.MaintenanceWithFiles),
)

type Reader = {
  isStaff: boolean
  /** Null for whoever may not edit. */
  editorId: string | null
}

/** What stands behind the facts of a feature: its maintenance, photos and documents. */
export function partsFor({ isStaff, editorId }: Reader) {
  return (feature: FeatureDetail): ReactNode => (
    <>
      {isStaff && feature.kind === 'asset' && (
        <Guard what="The maintenance" layout="inline" subject={feature.id} waiting={null}>
          <MaintenanceWithFiles key={feature.id} asset={feature} editorId={editorId} />
        </Guard>
      )}
      <Guard what="Photos and files" layout="inline" subject={feature.id} waiting={null}>
        {editorId === null ? (
          <FeatureFiles key={feature.id} feature={feature} mayEdit={false} />
        ) : (
          <EditableFiles key={feature.id} feature={feature} editorId={editorId} />
        )}
      </Guard>
    </>
  )
}
