import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { FeatureFiles } from '#web/files/feature-files.tsx'
import { type Draft, newDraft, recordName } from '#web/records/record-draft.ts'
import { recordDrafts } from '#web/records/record-drafts.ts'
import { useRecordChanges } from '#web/records/use-record-changes.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'

type EditableFilesProps = { feature: FeatureDetail; editorId: string }

export function EditableFiles({ feature, editorId }: EditableFilesProps) {
  const drafts = recordDrafts(editorId)
  const customFields = useCustomFields(feature.mapId)
  const { saving } = useRecordChanges(feature.mapId, drafts, { onSaved() {} })
  const name = recordName(feature)

  function move({ lat, lng }: { lat: number; lng: number }) {
    const draft: Draft = {
      ...newDraft(feature, customFields),
      ...drafts.find(feature),
      geometry: { type: 'Point', coordinates: [lng, lat] },
      typedPlace: null,
    }
    if (drafts.find(feature)) saveWithOthers(draft)
    else save(draft)
  }

  function saveWithOthers(draft: Draft) {
    const before = drafts.find(feature)
    drafts.save(draft)
    showSuccess(`Photo location added to your changes to ‘${name}’`, {
      dependsOn: {
        mapId: feature.mapId,
        of: 'page',
        isAsLeft: () => drafts.find(feature)?.geometry === draft.geometry,
        listen: drafts.listen,
      },
      undo() {
        const current = drafts.find(feature)
        // Keeps later edits of other fields.
        if (before && current)
          drafts.save({ ...current, geometry: before.geometry, typedPlace: before.typedPlace })
      },
    })
  }

  function save(draft: Draft) {
    const fail = (error: Error) => showError(`Could not move ‘${name}’`, error)
    saving.mutate(
      { draft },
      {
        onSuccess(outcome) {
          if (outcome === null)
            fail(new Error('Someone else just moved it. Open ‘Edit’ to choose a location.'))
        },
        onError: fail,
      },
    )
  }
  return <FeatureFiles feature={feature} mayEdit {...(feature.shape === 'point' ? { onPlace: move } : {})} />
}
