import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import { FeatureFiles } from '#web/files/feature-files.tsx'
import { keptDrafts } from '#web/records/kept-drafts.ts'
import { type Draft, nameOf, newDraft } from '#web/records/record-draft.ts'
import { useRecordChanges } from '#web/records/use-record-changes.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'

type EditableFilesProps = { feature: FeatureDetail; editorId: string }

/** Photos and documents of a feature for editors, who can move a point to the location of a photo. */
export function EditableFiles({ feature, editorId }: EditableFilesProps) {
  const kept = keptDrafts(editorId)
  const ownFields = useOwnFields(feature.mapId)
  const { saving } = useRecordChanges(feature.mapId, kept, { onSaved() {} })
  const name = nameOf(feature)

  function move({ lat, lng }: { lat: number; lng: number }) {
    const draft: Draft = {
      ...newDraft(feature, ownFields),
      ...kept.of(feature),
      geometry: { type: 'Point', coordinates: [lng, lat] },
      typedPlace: null,
    }
    if (kept.of(feature)) keepWithOthers(draft)
    else save(draft)
  }

  /** Joins the unsaved changes of the record instead of saving the location alone. */
  function keepWithOthers(draft: Draft) {
    const before = kept.of(feature)
    kept.keep(draft)
    tellDone(`The place of the photo is among your changes of ‘${name}’`, {
      dependsOn: {
        mapId: feature.mapId,
        of: 'page',
        isAsLeft: () => kept.of(feature)?.geometry === draft.geometry,
        listen: kept.listen,
      },
      undo() {
        const current = kept.of(feature)
        // Keeps later edits of other fields.
        if (before && current)
          kept.keep({ ...current, geometry: before.geometry, typedPlace: before.typedPlace })
      },
    })
  }

  function save(draft: Draft) {
    const fail = (error: Error) => tellFailed(`‘${name}’ was not moved`, error)
    saving.mutate(
      { draft },
      {
        onSuccess(outcome) {
          if (outcome === null)
            fail(new Error('Somebody else has just moved it. ‘Edit’ asks whose place it shall be.'))
        },
        onError: fail,
      },
    )
  }
  return <FeatureFiles feature={feature} mayEdit {...(feature.shape === 'point' ? { onPlace: move } : {})} />
}
