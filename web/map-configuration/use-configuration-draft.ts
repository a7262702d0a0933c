import { useEffect, useState } from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import {
  type ConfigurationField,
  configurationChanges,
} from '#domain/map-configuration/configuration-changes.ts'
import {
  type MapConfiguration,
  type MapConfigurationAnswer,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import type { Side } from '#web/ui/unsaved/compare-edits.ts'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { fieldLabels } from './configuration-text.ts'
import { findOutside } from './find-outside.ts'
import {
  boundsValues,
  candidateOf,
  centerValues,
  draftOfSettings,
  type FormValues,
  formValues,
  previewOf,
  rebaseSettings,
  settleSetting,
  unsavedSettings,
  withReadableBase,
} from './form-values.ts'

export type ConfigurationDraft = ReturnType<typeof useConfigurationDraft>

/** A draft without changes follows `current`, the server's version. `land` is the box around the features. */
export function useConfigurationDraft(current: MapConfigurationAnswer, land: Bounds | null) {
  const { mapId } = current
  const isReadOnly = !useMay('manager', mapId)
  const session = useSession()
  const [personId] = useState(session.status === 'authenticated' ? session.person.id : '')
  const unsaved = unsavedSettings(mapId, personId)
  const [draft, setDraft] = useState(() => {
    const stored = unsaved.get()
    return stored ? withReadableBase(stored, current) : draftOfSettings(current)
  })
  const { base, values } = draft
  const candidate = candidateOf(values)
  const changes = configurationChanges(base.configuration, candidate)
  if (
    current.version !== base.version ||
    configurationChanges(base.configuration, current.configuration).length > 0
  )
    setDraft(changes.length === 0 ? draftOfSettings(current) : rebaseSettings(draft, current))

  const parsed = mapConfiguration.safeParse(candidate)
  const problems = new Map(
    parsed.error?.issues.toReversed().map(({ path, message }) => [path.join('.'), message]),
  )

  const startFrom = (answer: MapConfigurationAnswer) => setDraft(draftOfSettings(answer))
  const preview = previewOf(candidate)
  const hasChanges = changes.length > 0
  useEffect(() => unsaved.set(hasChanges ? draft : null), [hasChanges, draft, unsaved])
  function discard() {
    unsaved.set(null)
    startFrom(current)
  }
  useUnsavedWork(
    hasChanges ? `Settings: ${changes.map(({ field }) => fieldLabels[field]).join(', ')}` : null,
    true,
    discard,
  )
  const set = (changed: Partial<FormValues>) =>
    setDraft((before) => ({ ...before, values: { ...before.values, ...changed } }))

  return {
    mapId,
    current,
    base,
    values,
    configuration: parsed.data ?? null,
    problems,
    preview,
    land,
    outside: findOutside(preview, land),
    changes,
    conflicts: changes.map(({ field }) => field).filter((field) => draft.conflicts.includes(field)),
    isUpdated: hasChanges && draft.conflicts.length + draft.updated.length > 0,
    isReadOnly,
    set,
    setCenter: (center: LatLng) => set(centerValues(center)),
    setBounds: (bounds: Bounds | null) => set(boundsValues(bounds)),
    /** Section 5 of the specification: the last map type stays, without a message. */
    setMapTypes(mapTypes: BaseMap[]) {
      const [first] = mapTypes
      if (first === undefined) return
      const { defaultMapType } = values
      set({ mapTypes, defaultMapType: mapTypes.includes(defaultMapType) ? defaultMapType : first })
    },
    settle: (field: ConfigurationField, side: Side) => setDraft(settleSetting(draft, field, side)),
    load: (configuration: MapConfiguration) => set(formValues(configuration)),
    revert: () => startFrom(current),
    discard,
    startFrom,
  }
}
