import type { ReactNode } from 'react'
import { hasField } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const FeatureFiles = lazyPart(() =>
  import('#web/files/feature-files.tsx').then((module) => module.FeatureFiles),
)
const EditableFiles = lazyPart(() => import('./editable-files.tsx').then((module) => module.EditableFiles))
const IncidentWork = lazyPart(() =>
  import('#web/work/incident-work.tsx').then((module) => module.IncidentWork),
)
const GetUpdates = lazyPart(() => import('#web/reports/get-updates.tsx').then((module) => module.GetUpdates))
const MaintenanceWithFiles = lazyPart(() =>
  import('./maintenance-with-files.tsx').then((module) => module.MaintenanceWithFiles),
)

type Reader = {
  isStaff: boolean
  editorId: string | null
  onSelect(id: string): void
}

export function partsFor({ isStaff, editorId, onSelect }: Reader) {
  return (feature: FeatureDetail): ReactNode => (
    <>
      {feature.kind === 'incident' && (
        <Guard what="Work" layout="inline" subject={feature.id} waiting={null}>
          <IncidentWork key={feature.id} incident={feature} editorId={editorId} onSelect={onSelect} />
        </Guard>
      )}
      {!isStaff && (feature.kind === 'incident' || feature.kind === 'parcel') && (
        <Guard what="Get updates" layout="inline" subject={feature.id} waiting={null}>
          <GetUpdates key={feature.id} feature={feature} />
        </Guard>
      )}
      {isStaff && hasField(feature, 'maintenanceHistory') && (
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
