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
  valuesOf,
} from './form-values.ts'
import { forgetDraft, keepDraft, readKeptDraft } from './kept-draft.ts'

export type ConfigurationDraft = ReturnType<typeof useConfigurationDraft>

/**
 * The working copy of a map's configuration: what the panel edits and the map beside it shows. `present` is what
 * the server has; a working copy without changes follows it. `land` is the box around the features.
 */
export function useConfigurationDraft(present: MapConfigurationAnswer, land: Bounds | null) {
  const { mapId } = present
  const isReadOnly = !useMay('manager', mapId)
  const session = useSession()
  // Who has begun: the session may end meanwhile.
  const [personId] = useState(session.status === 'authenticated' ? session.person.id : '')
  const [kept] = useState(() => readKeptDraft(present, personId))
  const [base, setBase] = useState(kept?.base ?? present)
  const [values, setValues] = useState(() => kept?.values ?? formValues(present.configuration))
  const candidate = candidateOf(values)
  const changes = configurationChanges(base.configuration, candidate)
  const isOvertaken = present.version !== base.version
  if (isOvertaken && changes.length === 0) startFrom(present)
  else if (!isOvertaken && configurationChanges(base.configuration, present.configuration).length > 0) {
    // Nothing is applied, and the land has changed: what nobody has touched follows what is proposed now.
    setBase(present)
    const touched = changes.map(({ field }) => field)
    setValues({ ...formValues(present.configuration), ...valuesOf(values, touched) })
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
  useEffect(() => {
    if (hasChanges) keepDraft(personId, { base, values })
    else forgetDraft(mapId, personId)
  }, [hasChanges, base, values, mapId, personId])
  function discard() {
    forgetDraft(mapId, personId)
    startFrom(present)
  }
  useUnsavedWork(
    hasChanges ? `Settings: ${changes.map(({ field }) => fieldLabels[field]).join(', ')}` : null,
    true,
    discard,
  )
  const set = (changed: Partial<FormValues>) => setValues((before) => ({ ...before, ...changed }))

  return {
    mapId,
    present,
    /** What the changes were made to. */
    base,
    values,
    /** Null while a field holds what no configuration can. */
    configuration: parsed.data ?? null,
    /** What is wrong, by the dotted path of the field. */
    problems,
    preview,
    land,
    /** What lies outside of the bounds. */
    outside: findOutside(preview, land),
    changes,
    /** Somebody else has applied another one since the changes began. */
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
    /** Fills the fields with another configuration: one from a file, say. */
    load: (configuration: MapConfiguration) => setValues(formValues(configuration)),
    revert: () => startFrom(present),
    discard,
    startFrom,
  }
}
