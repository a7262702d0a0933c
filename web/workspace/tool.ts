import { type ComponentType, createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { MapClick } from '#web/map/map-view.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { RecordStart } from './placing.ts'

// The interface between the workspace and its tools. Each tool has a folder in web/tools.

export type Tool = {
  name: string
  Part: ComponentType<ToolProps>
}

export type ToolProps = {
  mapId: string
  configuration: MapConfigurationAnswer | undefined
  onAdd?: ((start: RecordStart) => void) | undefined
  /** The record whose details are open. */
  selectedId?: string | undefined
  onSelect?: ((id: string | undefined) => void) | undefined
}

export type ToolMode = {
  /** Then the data gets no pointer events and all other tools are off. */
  isOn: boolean
  turnOff(): void
  /** Returns whether it handled the click. Also called while the tool is off, for clicks on its own marks. */
  onClick?(click: MapClick): boolean
  /** Also a right click, while the tool is on. Returns whether it was handled. */
  onLongPress?(click: MapClick): boolean
  /** Returns whether the tool handled the key. Not called for keys in dialogs. */
  onKey?(event: KeyboardEvent): boolean
  unsaved: Unsaved | null
}

/** `what` is an item of a list, such as 'Edits of shapes'. */
export type Unsaved = { what: string; title: string; text: string }

export type PluggedMode = RefObject<ToolMode>

/** Both functions return their cleanup. */
export const ToolboxContext = createContext<{
  plug(mode: PluggedMode): () => void
  turnOn(mode: PluggedMode): () => void
}>({ plug: () => () => {}, turnOn: () => () => {} })

export function useToolMode(mode: ToolMode) {
  const { plug, turnOn } = useContext(ToolboxContext)
  const latest = useRef(mode)
  // The next click may come before other effects, and would go to the wrong part.
  useLayoutEffect(() => {
    latest.current = mode
  })
  useLayoutEffect(() => plug(latest), [plug])
  const { isOn, unsaved, turnOff } = mode
  useLayoutEffect(() => {
    if (isOn) return turnOn(latest)
  }, [isOn, turnOn])
  useUnsavedWork(unsaved?.what ?? null, false, turnOff)
}
