import { useEffect, useState } from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import { configurationChanges } from '#domain/map-configuration/configuration-changes.ts'
import {
  type MapConfiguration,
  type MapConfigurationAnswer,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { fieldLabels } from './configuration-text.ts'
import { findOutside } from './find-outside.ts'
import {
  boundsValues,
  candidateOf,
  centerValues,
  type FormValues,
  formValues,
  previewOf,
  unsavedSettings,
  valuesOf,
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
  const [opened] = useState(() => {
    const draft = unsaved.get()
    return draft
      ? withReadableBase(draft, current)
      : { base: current, values: formValues(current.configuration) }
  })
  const [base, setBase] = useState(opened.base)
  const [values, setValues] = useState(opened.values)
  const candidate = candidateOf(values)
  const changes = configurationChanges(base.configuration, candidate)
  const isOvertaken = current.version !== base.version
  if (isOvertaken && changes.length === 0) startFrom(current)
  else if (!isOvertaken && configurationChanges(base.configuration, current.configuration).length > 0) {
    setBase(current)
    const edited = changes.map(({ field }) => field)
    setValues({ ...formValues(current.configuration), ...valuesOf(values, edited) })
  }

  const parsed = mapConfiguration.safeParse(candidate)
  const problems = new Map(
    parsed.error?.issues.toReversed().map(({ path, message }) => [path.join('.'), message]),
  )

  function startFrom(answer: MapConfigurationAnswer, configuration = answer.configuration) {
    setBase(answer)
    setValues(formValues(configuration))
  }
  const preview = previewOf(candidate)
  const hasChanges = changes.length > 0
  useEffect(() => unsaved.set(hasChanges ? { base, values } : null), [hasChanges, base, values, unsaved])
  function discard() {
    unsaved.set(null)
    startFrom(current)
  }
  useUnsavedWork(
    hasChanges ? `Settings: ${changes.map(({ field }) => fieldLabels[field]).join(', ')}` : null,
    true,
    discard,
  )
  const set = (changed: Partial<FormValues>) => setValues((before) => ({ ...before, ...changed }))

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
    isOvertaken: isOvertaken && changes.length > 0,
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
    load: (configuration: MapConfiguration) => setValues(formValues(configuration)),
    revert: () => startFrom(current),
    discard,
    startFrom,
  }
}
