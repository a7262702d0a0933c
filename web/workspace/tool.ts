import { type ComponentType, createContext, type RefObject, useContext, useEffect, useRef } from 'react'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { MapClick } from '#web/map/map-view.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { RecordStart } from './placing.ts'

// The interface between the workspace and its tools. Each tool has a folder in web/tools.

export type Tool = {
  /** Subject of messages about the tool, such as 'Drawing'. */
  name: string
  /** The tool's layers, toolbar and dialogs, rendered above the data of the map. */
  Part: ComponentType<ToolProps>
}

export type ToolProps = {
  mapId: string
  /** Undefined if it could not be loaded. */
  configuration: MapConfigurationAnswer | undefined
  /** Undefined for users who may not add records. */
  onAdd?: ((start: RecordStart) => void) | undefined
}

export type ToolMode = {
  /** While a tool is on, the data gets no pointer events and all other tools are off. */
  isOn: boolean
  /** Discards unsaved work. */
  turnOff(): void
  /** Returns whether the tool handled the click. Also called while the tool is off, for clicks on its own marks. */
  onClick?(click: MapClick): boolean
  /** Handles a long press or right click while the tool is on. Returns whether it did. */
  onLongPress?(click: MapClick): boolean
  /** Returns whether the tool handled the key, which stops it. Not called for keys in dialogs. */
  onKey?(event: KeyboardEvent): boolean
  /** Work that leaving the page would lose, with the texts of the warning. */
  unsaved: Unsaved | null
}

/** `what` is an item of a list, such as 'Edits of shapes'. */
export type Unsaved = { what: string; title: string; text: string }

export type PluggedMode = RefObject<ToolMode>

/** Both functions return how to undo them. */
export const ToolboxContext = createContext<{
  plug(mode: PluggedMode): () => void
  turnOn(mode: PluggedMode): () => void
}>({ plug: () => () => {}, turnOn: () => () => {} })

/** Registers the mode of a tool. Called once in the tool's part. */
export function useToolMode(mode: ToolMode) {
  const { plug, turnOn } = useContext(ToolboxContext)
  const latest = useRef(mode)
  useEffect(() => {
    latest.current = mode
  })
  useEffect(() => plug(latest), [plug])
  const { isOn, unsaved, turnOff } = mode
  useEffect(() => {
    if (isOn) return turnOn(latest)
  }, [isOn, turnOn])
  useUnsavedWork(unsaved?.what ?? null, false, turnOff)
}
