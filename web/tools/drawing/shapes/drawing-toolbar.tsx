import {
  IconCircle,
  IconCircleDot,
  IconDownload,
  IconLine,
  IconMapPin,
  IconPencil,
  IconPolygon,
  IconRectangle,
  IconTrash,
  IconUpload,
  IconVectorTriangle,
  type TablerIcon,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { type DrawingTool, drawingToolLabels, drawingTools } from '#domain/map-configuration/map-constants.ts'
import { ToolButton, Toolbar } from '#web/workspace/toolbar.tsx'

export type TaskName = DrawingTool | 'edit' | 'delete'

const toolIcons: Record<DrawingTool, TablerIcon> = {
  polyline: IconLine,
  polygon: IconPolygon,
  rectangle: IconRectangle,
  circle: IconCircle,
  marker: IconMapPin,
  circlemarker: IconCircleDot,
}

type DrawingToolbarProps = {
  tools: readonly DrawingTool[]
  active: TaskName | null
  /** Unsaved changes must be saved or canceled first. */
  isLocked: boolean
  hasShapes: boolean
  folding: { isOpen: boolean; onFold(): void } | null
  onChange(active: TaskName | null, isByKeyboard: boolean): void
  onOpen(files: Iterable<File>): void
  onDownload: (() => void) | undefined
}

/** Section 2 of the specification: at the top left of the viewer. */
export function DrawingToolbar(props: DrawingToolbarProps) {
  const { tools, active, isLocked, hasShapes, folding, onChange, onOpen, onDownload } = props
  const inputRef = useRef<HTMLInputElement>(null)
  const buttons = [
    ...drawingTools
      .filter((tool) => tools.includes(tool))
      .map((tool) => ({
        name: tool,
        label: `Draw: ${drawingToolLabels[tool]}`,
        text: drawingToolLabels[tool],
        Icon: toolIcons[tool],
      })),
    { name: 'edit', label: 'Edit shapes', text: 'Edit', Icon: IconPencil },
    { name: 'delete', label: 'Delete shapes', text: 'Delete', Icon: IconTrash },
  ] as const
  const inUse = buttons.find(({ name }) => name === active)
  const fold = () => folding?.isOpen && folding.onFold()
  return (
    <>
      <Toolbar
        label="Drawing"
        folding={
          folding && {
            ...folding,
            label: inUse ? `Drawing tools, active: ${inUse.label}` : 'Drawing tools',
            Icon: inUse?.Icon ?? IconVectorTriangle,
            isInUse: inUse !== undefined,
          }
        }
      >
        {buttons.map(({ name, label, text, Icon }) => {
          const isActive = active === name
          const needsShapes = name === 'edit' || name === 'delete'
          return (
            <ToolButton
              key={name}
              label={label}
              text={text}
              Icon={Icon}
              isPressed={isActive}
              isDisabled={isLocked || (needsShapes && !hasShapes)}
              onClick={(event) => {
                // Clicks by keyboard have a count of 0.
                onChange(isActive ? null : name, event.detail === 0)
                fold()
              }}
            />
          )
        })}
        <ToolButton
          label="Open GeoJSON file"
          text="Open GeoJSON"
          Icon={IconUpload}
          isDisabled={isLocked}
          onClick={() => inputRef.current?.click()}
        />
        {onDownload && (
          <ToolButton
            label="Download shapes as GeoJSON"
            text="Download"
            Icon={IconDownload}
            isDisabled={!hasShapes}
            onClick={() => {
              onDownload()
              fold()
            }}
          />
        )}
      </Toolbar>
      <input
        ref={inputRef}
        hidden
        type="file"
        accept=".geojson,.json,application/geo+json"
        aria-label="GeoJSON file"
        onChange={(event) => {
          onOpen([...(event.currentTarget.files ?? [])])
          // Otherwise the same file cannot be chosen again.
          event.currentTarget.value = ''
          fold()
        }}
      />
    </>
  )
}
