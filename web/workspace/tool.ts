import { type ComponentType, createContext, type RefObject, useContext, useEffect, useRef } from 'react'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { MapClick } from '#web/map/map-view.tsx'
import { useUnsavedWork } from '#web/ui/unsaved-work.ts'
import type { RecordStart } from './placing.ts'

// What a workspace knows of the tools that are plugged into it. Each tool has a folder below web/tools, and knows the
// workspace by this file alone.

/** Something to do on a map beyond looking at it. */
export type Tool = {
  /** As words about it begin: 'Drawing'. */
  name: string
  /** Stands on the map, above the data: the tool's layers, its bar, and what else it shows. */
  Part: ComponentType<ToolProps>
}

export type ToolProps = {
  mapId: string
  /** Undefined where it could not be had. */
  configuration: MapConfigurationAnswer | undefined
  /** For who may add records. */
  onAdd?: ((start: RecordStart) => void) | undefined
}

/** What a tool does at the moment. */
export type ToolMode = {
  /** The map is the tool's: the data hears nothing of clicks and pointer, and every other tool is turned off. */
  isOn: boolean
  /** Ends what it does; what is not saved is lost. */
  turnOff(): void
  /** True where the click was meant for the tool. Asked while it is off, too: what it shows may be clicked. */
  onClick?(click: MapClick): boolean
  /** A long press or a right click, while it is on; true where something came of it. */
  onLongPress?(click: MapClick): boolean
  /** True where the tool has used the key: nobody else hears of it. What is typed into a dialog is not asked about. */
  onKey?(event: KeyboardEvent): boolean
  /** What would be lost by leaving the page, and how to ask about it; null while there is nothing. */
  unsaved: Unsaved | null
}

/** `what` as it stands in a list of such things: 'Edits of shapes'. */
export type Unsaved = { what: string; title: string; text: string }

export type PluggedMode = RefObject<ToolMode>

/** Where modes are plugged in. Both return a function that undoes it. */
export const ToolboxContext = createContext<{
  plug(mode: PluggedMode): () => void
  turnOn(mode: PluggedMode): () => void
}>({ plug: () => () => {}, turnOn: () => () => {} })

/** Tells the workspace what a tool does at the moment. Called by the tool's part, once. */
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
